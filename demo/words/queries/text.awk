# Write a text of `words` words to the file `out`, the same on every machine. As in any
# language, few words are frequent and many are rare.

function draw(below) {
    state = (state * 1103515245 + 12345) % 2147483648
    return int(state / 65536) % below
}

function word(rank,    text) {
    text = substr("kasonimeruta", 1 + 2 * (rank % 6), 2)
    for (rank = int(rank / 6); rank > 0; rank = int(rank / 8))
        text = text substr("laremivonusetipo", 1 + 2 * (rank % 8), 2)
    return text
}

BEGIN {
    state = 1
    for (i = 1; i <= words; i++)
        printf "%s%s", word(draw(1 + draw(1 + draw(4000)))), (i % 12 ? " " : ".\n") > out
}
