#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

static long ask(const char *kind)
{
    if (!strcmp(kind, "list")) return list_work();
    if (!strcmp(kind, "hash")) return hash_work();
    if (!strcmp(kind, "lookup")) return lookup_work();
    if (!strcmp(kind, "print")) return print_work();
    if (!strcmp(kind, "levels")) return levels_work(atoi("1"));
    if (!strcmp(kind, "steps")) return steps_work();
    if (!strcmp(kind, "words")) return words_work();
    if (!strcmp(kind, "buffers")) return buffers_work();
    if (!strcmp(kind, "scan")) return scan_work();
    if (!strcmp(kind, "windows")) return windows_work();
    fprintf(stderr, "usage: work KIND N\n");
    exit(2);
}

int main(int argc, char **argv)
{
    long sum = 0;
    for (long n = argc == 3 ? atol(argv[2]) : 1; n > 0; n--)
        sum += ask(argc == 3 ? argv[1] : "");
    printf("%ld\n", sum);
    return 0;
}
