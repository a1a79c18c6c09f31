#include <stdlib.h>

/* What must hold wherever something is read. */
#define CHECK(condition) ((void)0)
#define READ(text, at, state) (CHECK((state) != 0), (text)[at])
