# tbench.sh SECONDS CLIENTS: a server and its clients, in a network that holds nothing else.
ip link set lo up || exit 1
tbench_srv >/dev/null &
trap 'kill $!' EXIT
tries=0
until tbench -t 1 1 127.0.0.1 >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 20 ] || exit 1
    sleep 0.1
done
tbench -t "$1" "$2" 127.0.0.1
