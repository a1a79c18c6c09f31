#include <string.h>

#include "work.h"

/* The first match counts. */
static const char *const words[] = {
    "if",
    "else",
    "while",
    "return",
    "switch",
    "default",
};

static int number(const char *word)
{
    for (int at = 0; at < 6; at++)
        if (!strcmp(words[at], word))
            return at;
    return -1;
}

long words_work(void)
{
    static const char *const asked[] = {"if", "if", "else", "if", "return", "else", "none"};
    long sum = 0;
    for (int at = 0; at < 7; at++)
        sum += number(asked[at]);
    return sum;
}
