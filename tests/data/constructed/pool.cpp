#include "pool.h"

#include <cstdlib>

Pool::~Pool()
{
    for (char *block : blocks_)
        std::free(block);
}

void *Pool::take(std::size_t size)
{
    if (size > left_) {
        blocks_.push_back(static_cast<char *>(std::malloc(kBlock)));
        left_ = kBlock;
    }
    left_ -= size;
    return blocks_.back() + left_;
}
