#include "scan.h"

const unsigned char kinds[256] = {
    ['a' ... 'z'] = LETTER,
    ['0' ... '9'] = DIGIT,
};
