/* words: which words a text is made of.
 *
 *     words [--repeat N] count TEXT           words and distinct words
 *     words [--repeat N] top TEXT             the ten most frequent words
 *     words [--repeat N] find TEXT BEGINNING  how often words begin like that
 *
 * The text is read once; --repeat answers the question N times, for measuring.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t size;
};

struct entry { /* a free slot has no bytes */
    const char *bytes;
    size_t size;
    unsigned long hash;
    unsigned long seen;
};

struct table {
    struct entry *slots;
    size_t capacity; /* a power of two */
    size_t distinct;
    unsigned long words;
};

static void fail(const char *problem) {
    fprintf(stderr, "words: %s\n", problem);
    exit(2);
}

static void *need(void *memory) {
    if (!memory) fail("out of memory");
    return memory;
}

static struct text read_text(const char *path) {
    struct text text = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (!file) fail("can't open the text");
    for (size_t got = 1; got; text.size += got) {
        text.bytes = need(realloc(text.bytes, text.size + 65536));
        got = fread(text.bytes + text.size, 1, 65536, file);
    }
    fclose(file);
    for (size_t i = 0; i < text.size; i++) text.bytes[i] = (char)tolower((unsigned char)text.bytes[i]);
    return text;
}

static int in_word(char c) {
    return c >= 'a' && c <= 'z';
}

static void grow(struct table *table) {
    struct table larger = {NULL, table->capacity ? table->capacity * 2 : 1024, 0, 0};
    larger.slots = need(calloc(larger.capacity, sizeof *larger.slots));
    for (size_t i = 0; i < table->capacity; i++) {
        if (!table->slots[i].bytes) continue;
        size_t at = table->slots[i].hash & (larger.capacity - 1);
        while (larger.slots[at].bytes) at = (at + 1) & (larger.capacity - 1);
        larger.slots[at] = table->slots[i];
    }
    free(table->slots);
    table->slots = larger.slots;
    table->capacity = larger.capacity;
}

static void add(struct table *table, const char *bytes, size_t size, unsigned long hash) {
    if (table->distinct * 4 >= table->capacity * 3) grow(table);
    size_t at = hash & (table->capacity - 1);
    struct entry *entry = &table->slots[at];
    while (entry->bytes && (entry->size != size || memcmp(entry->bytes, bytes, size) != 0)) {
        at = (at + 1) & (table->capacity - 1);
        entry = &table->slots[at];
    }
    if (!entry->bytes) {
        *entry = (struct entry){bytes, size, hash, 0};
        table->distinct++;
    }
    entry->seen++;
    table->words++;
}

static struct table tabulate(const struct text *text) {
    struct table table = {NULL, 0, 0, 0};
    const char *end = text->bytes + text->size;
    grow(&table);
    for (const char *at = text->bytes; at < end;) {
        const char *word = at;
        unsigned long hash = 2166136261u; /* FNV-1a */
        while (at < end && in_word(*at)) hash = (hash ^ (unsigned char)*at++) * 16777619u;
        if (at > word)
            add(&table, word, (size_t)(at - word), hash);
        else
            at++;
    }
    return table;
}

static void count(const struct text *text) {
    struct table table = tabulate(text);
    printf("%lu words, %zu distinct\n", table.words, table.distinct);
    free(table.slots);
}

static int by_frequency(const void *left, const void *right) {
    const struct entry *one = left, *other = right;
    return (one->seen < other->seen) - (one->seen > other->seen);
}

static void top(const struct table *table) {
    struct entry *entries = need(malloc((table->distinct + 1) * sizeof *entries));
    size_t used = 0;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].bytes) entries[used++] = table->slots[i];
    qsort(entries, used, sizeof *entries, by_frequency);
    for (size_t i = 0; i < used && i < 10; i++)
        printf("%6lu %.*s\n", entries[i].seen, (int)entries[i].size, entries[i].bytes);
    free(entries);
}

static void find(const struct table *table, const char *beginning) {
    size_t size = strlen(beginning);
    unsigned long seen = 0;
    for (size_t i = 0; i < table->capacity; i++) {
        const struct entry *entry = &table->slots[i];
        if (entry->bytes && entry->size >= size && memcmp(entry->bytes, beginning, size) == 0)
            seen += entry->seen;
    }
    printf("%lu words begin with %s\n", seen, beginning);
}

int main(int argc, char **argv) {
    long repeat = 1;
    if (argc > 2 && strcmp(argv[1], "--repeat") == 0) {
        repeat = strtol(argv[2], NULL, 10);
        argc -= 2;
        argv += 2;
    }
    if (argc < 3) fail("usage: words [--repeat N] count|top|find TEXT [BEGINNING]");
    struct text text = read_text(argv[2]);
    struct table table = tabulate(&text);
    for (long i = 0; i < repeat; i++) {
        if (strcmp(argv[1], "count") == 0)
            count(&text);
        else if (strcmp(argv[1], "top") == 0)
            top(&table);
        else if (strcmp(argv[1], "find") == 0 && argc > 3)
            find(&table, argv[3]);
        else
            fail("the question is count, top or find");
    }
    free(table.slots);
    free(text.bytes);
    return 0;
}
