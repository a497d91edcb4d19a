package upstashtest_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnswersFindTheirRequests: many different requests share a connection to the engine,
// and each gets its own answer.
func TestAnswersFindTheirRequests(t *testing.T) {
	c := start(t, realRedis(t).URL())
	large := strings.Repeat("x", 100<<10)
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			for j := range 40 {
				key, value := fmt.Sprint("k", i), fmt.Sprint(i, ":", j)
				for _, step := range []struct{ path, body, want string }{
					{"/set/" + key, value, `{"result":"OK"}`},
					{"/pipeline", `[["GET","` + key + `"],["INCR","` + key + `"],["WATCH","x"],["STRLEN","` + key + `"]]`, `"` + value + `"`},
					{"/multi-exec", `[["GET","` + key + `"],["ECHO","` + value + `"]]`, `[{"result":"` + value + `"},{"result":"` + value + `"}]`},
					{"/multi-exec", `[["GET","` + key + `"],["GET"]]`, `{"error":"ERR wrong number of arguments for 'get' command"}`},
					{"/", `["EVAL","return KEYS[1]",1,"` + key + `"]`, `{"result":"` + key + `"}`},
					{"/echo", large[:j*2000], `{"result":"` + large[:j*2000] + `"}`},
				} {
					if j == 0 && step.path == "/echo" {
						continue
					}
					a, err := c.try(http.MethodPost, step.path, step.body)
					if err != nil || !strings.Contains(a.body, step.want) {
						t.Errorf("%s %.80s: %.200s, %v", step.path, step.body, a.body, err)
						return
					}
				}
			}
		})
	}
	all.Wait()
}

// TestAConnectionThatEndsTakesItsRequestsAlong: no request keeps waiting, and the next
// one opens another connection.
func TestAConnectionThatEndsTakesItsRequestsAlong(t *testing.T) {
	redis := realRedis(t)
	c := start(t, redis.URL())
	admin := start(t, redis.URL())
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				a, err := c.try(http.MethodPost, "/incr/n", "")
				if err != nil || a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
					t.Errorf("%+v, %v", a, err)
				}
			}
		})
	}
	for range 10 {
		_, err := admin.Redis().Do(t.Context(), "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
		require.NoError(t, err)
	}
	all.Wait()
	require.Eventually(t, func() bool { return c.send(http.MethodPost, "/get/n", "").status == http.StatusOK }, eventually, tick)
}

// TestAnEngineThatBreaksTheProtocolIs503 uses an engine that answers before it is asked,
// and then sends nonsense.
func TestAnEngineThatBreaksTheProtocolIs503(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answerBadly(conn)
		}
	}()
	c := start(t, "redis://"+listener.Addr().String())
	for range 3 {
		a := c.send(http.MethodPost, "/get/k", "")
		require.Equal(t, http.StatusServiceUnavailable, a.status)
		require.Contains(t, a.body, "ERR engine unreachable")
	}
}

func answerBadly(conn net.Conn) {
	defer conn.Close()
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return
		}
		reply := "?what\r\n"
		if strings.Contains(string(buf[:n]), "INFO") {
			reply = "$20\r\nredis_version:8.0.1\n\r\n"
		}
		if _, err := conn.Write([]byte(reply)); err != nil {
			return
		}
	}
}
