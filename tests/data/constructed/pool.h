#include <cstddef>
#include <vector>

/// One thing that is kept.
class Item {
public:
    explicit Item(int number) : number_(number), weight_(2.0 * number) {}
    double weight() const { return weight_; }
    int number() const { return number_; }

private:
    int number_;
    double weight_;
};

/// Hands out room from blocks.
class Pool {
public:
    static const std::size_t kBlock = 4096;

    ~Pool();
    void *take(std::size_t size);

private:
    std::vector<char *> blocks_;
    std::size_t left_ = 0;
};

Item *made(int number);
double weigh(const Item *items, int count);
