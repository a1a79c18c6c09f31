#include <stdio.h>
#include <string.h>

#include "work.h"

static int digits(long number, char *out)
{
    int count = 0;
    do {
        out[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    return count;
}

static int real(double number, char *out)
{
    return sprintf(out, "%1.15g", number);
}

/* Return how long some numbers are, printed. */
long print_work(void)
{
    char out[64];
    long length = 0;
    for (int number = 1; number <= 40; number++)
        length += digits(number * 1234567L, out);
    for (int number = 1; number <= 4; number++)
        length += real(number / 10.0 + 0.2, out);
    return length;
}
