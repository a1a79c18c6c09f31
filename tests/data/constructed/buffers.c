#include <stdlib.h>

#include "work.h"

enum { BUFFERS = 12 };

static char *buffer(int letter)
{
    char *made = malloc(64);
    made[0] = (char)letter;
    return made;
}

long buffers_work(void)
{
    char *held[BUFFERS];
    long sum = 0;
    for (int at = 0; at < BUFFERS; at++)
        held[at] = buffer('a' + at);
    for (int at = 0; at < BUFFERS; at++) {
        sum += held[at][0];
        free(held[at]);
    }
    return sum;
}
