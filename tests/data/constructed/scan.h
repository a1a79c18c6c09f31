#define PASSES 8
enum { WINDOW = 16 };
enum kind { OTHER, DIGIT, LETTER };
extern const unsigned char kinds[256];
