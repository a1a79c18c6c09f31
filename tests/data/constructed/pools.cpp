#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "pool.h"

namespace {

long blocks()
{
    Pool pool;
    long sum = 0;
    for (int at = 0; at < 100; at++) {
        char *room = static_cast<char *>(pool.take(16));
        room[0] = static_cast<char>(at);
        sum += room[0];
    }
    return sum;
}

long items()
{
    long sum = 0;
    for (int number = 0; number < 50; number++) {
        std::unique_ptr<Item> item(made(number));
        sum += item->number();
    }
    return sum;
}

long weighed()
{
    const Item each[] = {Item(1), Item(2), Item(3), Item(4), Item(5), Item(6), Item(7), Item(8)};
    return static_cast<long>(weigh(each, 8));
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: pools KIND N\n");
        return 2;
    }
    long sum = 0;
    for (long n = std::atol(argv[2]); n > 0; n--) {
        if (!std::strcmp(argv[1], "blocks")) sum += blocks();
        if (!std::strcmp(argv[1], "items")) sum += items();
        if (!std::strcmp(argv[1], "weigh")) sum += weighed();
    }
    std::printf("%ld\n", sum);
    return 0;
}
