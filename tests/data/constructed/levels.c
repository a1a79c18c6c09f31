#include "work.h"

/* How thoroughly it is searched. */
static const struct level {
    int rounds;
    int width;
} levels[] = {
    {4, 8},
    {8, 16},
    {16, 64},
};

static long searched(int width, long from)
{
    for (int at = 0; at < width; at++)
        from = (from * 1103515245 + 12345) % 2147483648;
    return from;
}

long levels_work(int level)
{
    long sum = 1;
    for (int round = 0; round < levels[level].rounds; round++)
        sum = searched(levels[level].width, sum);
    return sum;
}
