#include "scan.h"
#include "work.h"

static const char text[] = "abc 1234 def 99 x ray 56 zeta 1000000 and 77 more";

static long number(const char *from, const char *to)
{
    long value = 0;
    while (from < to)
        value = value * 10 + (*from++ - '0');
    return value;
}

static long __attribute__((noinline)) named(const char *from, const char *to)
{
    unsigned state = 1;
    for (; from < to; from++)
        for (int pass = 0; pass < PASSES; pass++)
            state = (state ^ (unsigned)*from) * 16777619u;
    return state & 15;
}

long scan_work(void)
{
    long total = 0;
    const char *at = text, *end = text + sizeof text - 1;
    while (at < end) {
        const char *start = at;
        int kind = kinds[(unsigned char)*at];
        while (at < end && kinds[(unsigned char)*at] == kind)
            at++;
        if (kind == DIGIT)
            total += number(start, at);
        else if (kind == LETTER)
            total += named(start, at);
    }
    return total;
}

long windows_work(void)
{
    long best = 0;
    for (int at = 0; at < 32; at++) {
        long sum = 0;
        for (int step = 0; step < WINDOW; step++)
            sum += text[at + step] / (step + 1);
        if (sum > best)
            best = sum;
    }
    return best;
}
