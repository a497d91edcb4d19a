package live

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host"
)

// HijackedStream is an answer of server-sent events on a connection that was taken from the server. While
// nothing is sent, only one read waits on the connection, which notices that the client closes
// it.
type HijackedStream struct{ *host.HijackedConn }

// NewTaken starts the answer with the headers set so far. If that fails, every later write
// fails too.
func NewTaken(c HijackedStream, header http.Header, now time.Time, patience time.Duration) EventStream {
	Say(header)
	header.Set("Date", now.UTC().Format(http.TimeFormat))
	header.Set("Transfer-Encoding", "chunked") // so that a client notices a stream that was cut
	header.Set("Connection", "close")
	var head bytes.Buffer
	head.WriteString("HTTP/1.1 200 OK\r\n")
	_ = header.Write(&head) // writing to a buffer does not fail
	head.WriteString("\r\n")
	patient := func() error { return c.SetWriteDeadline(time.Now().Add(patience)) }
	if patient() == nil {
		_, _ = c.Conn.Write(head.Bytes())
	}
	return EventStream{c, func() error { return nil }, patient}
}

// Write implements [io.Writer]. It sends a chunk of the answer with one system call.
func (c HijackedStream) Write(message []byte) (int, error) {
	var size [18]byte
	chunk := net.Buffers{append(strconv.AppendInt(size[:0], int64(len(message)), 16), "\r\n"...), message, crlf}
	if _, err := chunk.WriteTo(c.Conn); err != nil {
		return 0, err
	}
	return len(message), nil
}

var crlf = []byte("\r\n")

// lastWrite bounds the time in which a client may read the end of its stream.
const lastWrite = time.Second

// End ends the connection; with whole it first ends the answer correctly.
func (c HijackedStream) End(whole bool) {
	if whole && c.SetWriteDeadline(time.Now().Add(lastWrite)) == nil {
		_, _ = io.WriteString(c.Conn, "0\r\n\r\n")
	}
	_ = c.Close()
}

// mostSaid is how many bytes a client may send after its request; it should send none.
const mostSaid = 4096

// Await returns when the client has closed the connection, or has sent too much.
func (c HijackedStream) Await() {
	buffer := make([]byte, 64)
	for said := 0; said < mostSaid; {
		n, err := c.Conn.Read(buffer)
		if err != nil {
			return
		}
		said += n
	}
}
