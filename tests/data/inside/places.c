/* places SHIFT ASKS: SHIFT blocks that stay, then ASKS times the same calls. */
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const size_t sizes[] = {1, 24, 48, 100, 512, 600, 4096, 5000, 33000, 100000, 200000};
    static void *kept[11];
    (void)argc;
    for (long i = atol(argv[1]); i--;)
        if (!malloc(sizes[i % 9])) return 1;
    for (long ask = atol(argv[2]); ask--;) {
        for (int i = 0; i < 11; i++) kept[i] = malloc(sizes[i]);
        for (int i = 0; i < 11; i++) kept[i] = realloc(kept[i], sizes[i] + 100);
        for (int i = 0; i < 11; i++) free(kept[i]);
    }
    return 0;
}
