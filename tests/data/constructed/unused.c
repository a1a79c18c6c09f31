/* What no query asks for. */
long unused_work(long number)
{
    return number * 3 + 1;
}
