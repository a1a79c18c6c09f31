from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.inside.load_answer import AnswerError, length_of

LENGTH = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n"
)
CLOSED = b"HTTP/1.0 200 OK\r\nServer: x\r\n\r\nhello"
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"


@pytest.mark.parametrize(("answer", "status"), [(LENGTH, 200), (CHUNKED, 200), (EMPTY, 204)])
def test_an_answer_is_whole_at_its_last_byte_and_not_before(answer: bytes, status: int) -> None:
    assert length_of(answer, ended=False) == (len(answer), status)
    for cut in range(len(answer)):
        assert length_of(answer[:cut], ended=False)[0] > cut


def test_an_answer_without_a_length_ends_with_its_connection() -> None:
    assert length_of(CLOSED, ended=False)[0] > len(CLOSED)
    assert length_of(CLOSED, ended=True) == (len(CLOSED), 200)


@given(cut=st.integers(0, len(CHUNKED) - 1), answer=st.sampled_from([LENGTH, CHUNKED]))
def test_an_answer_that_is_cut_off_is_an_error(cut: int, answer: bytes) -> None:
    with pytest.raises(AnswerError):
        length_of(answer[: min(cut, len(answer) - 1)], ended=True)


def test_what_is_no_http_is_an_error() -> None:
    with pytest.raises(AnswerError, match="not an answer"):
        length_of(b"220 mail.example.org ESMTP\r\n", ended=False)
    with pytest.raises(AnswerError, match="no length"):
        length_of(b"HTTP/1.1 200 OK\r\nContent-Length: much\r\n\r\n", ended=False)
    with pytest.raises(AnswerError, match="no size"):
        length_of(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", ended=False)
