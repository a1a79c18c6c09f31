set -e
FLAGS="-O2 -g"
gcc $FLAGS -o work *.c
g++ $FLAGS -o pools *.cpp
