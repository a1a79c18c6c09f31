# aim9.sh SECONDS FOLDER: AIM9's table, so many seconds a test, its files below the folder.
# $AIM9 is where singleuser and its s9workfile are.
cd "$AIM9" && printf '%s\n' machine configuration "$1" "$2" | ./singleuser -nl
