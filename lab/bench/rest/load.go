package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	answerValue = "value-of-some-length"
	answerBody  = `{"result":"dmFsdWUtb2Ytc29tZS1sZW5ndGg="}` // in base64, as SDKs request it
	commandBody = `["GET","k"]`
)

// httpRequest has the headers that clients of Upstash send.
var (
	respRequest = []byte("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n")
	httpRequest = []byte("POST / HTTP/1.1\r\nHost: 127.0.0.1:8079\r\nUser-Agent: Go-http-client/1.1\r\nAuthorization: Bearer " + token +
		"\r\nContent-Type: application/json\r\nUpstash-Encoding: base64\r\nUpstash-Sync-Token: 1z141z\r\nContent-Length: " +
		strconv.Itoa(len(commandBody)) + "\r\n\r\n" + commandBody)
)

// load sends n requests over a number of connections, each of which waits for its answer
// before it sends the next.
func load(ctx context.Context, addr string, request []byte, http bool, connections, n int) error {
	errs := make([]error, connections)
	var all sync.WaitGroup
	for i := range connections {
		share := n / connections
		if i < n%connections {
			share++
		}
		all.Go(func() { errs[i] = exchange(ctx, addr, request, http, share) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func exchange(ctx context.Context, addr string, request []byte, http bool, n int) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	r := bufio.NewReader(c)
	for range n {
		if _, err := c.Write(request); err != nil {
			return err
		}
		if http {
			err = readHTTP(r)
		} else {
			err = readRESP(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readHTTP reads one answer and checks it, with as little work as possible in this
// process.
func readHTTP(r *bufio.Reader) error {
	length := -1
	status := true
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		switch {
		case status:
			if !strings.HasPrefix(string(line), "HTTP/1.1 200 ") {
				return fmt.Errorf("status %q", line)
			}
			status = false
		case len(line) == 2:
			if length != len(answerBody) {
				return fmt.Errorf("answer of %d bytes, want %d", length, len(answerBody))
			}
			_, err := r.Discard(length)
			return err
		case len(line) > 16 && strings.EqualFold(string(line[:16]), "Content-Length: "):
			length, _ = strconv.Atoi(strings.TrimSpace(string(line[16:])))
		}
	}
}

func readRESP(r *bufio.Reader) error {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if want := "$" + strconv.Itoa(len(answerValue)) + "\r\n"; string(line) != want {
		return fmt.Errorf("reply %q, want %q", line, want)
	}
	_, err = r.Discard(len(answerValue) + 2)
	return err
}

// cpuOfRedis is the user and system time that Redis reports of itself.
func cpuOfRedis(addr string) (time.Duration, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if _, err := io.WriteString(c, "INFO cpu\r\nQUIT\r\n"); err != nil {
		return 0, err
	}
	text, err := io.ReadAll(c)
	if err != nil {
		return 0, err
	}
	var total float64
	for line := range strings.SplitSeq(string(text), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if name == "used_cpu_user" || name == "used_cpu_sys" {
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return 0, err
			}
			total += seconds
		}
	}
	return time.Duration(total * 1e9), nil
}
