package upstash_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/framedle/leaderboards/upstash"
)

func submit() []upstash.Command {
	const board = "lb:daily_frame:2026-11-21"
	return []upstash.Command{
		upstash.Cmd("ZADD", board, "NX", "800.015625", "user_2abcdefghijklmnop").Idempotent(),
		upstash.Cmd("ZREVRANK", board, "user_2abcdefghijklmnop", "WITHSCORE"),
	}
}

func BenchmarkEncodeSubmit(b *testing.B) {
	cmds := submit()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = upstash.EncodePipeline(buf[:0], cmds)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecodeSubmit(b *testing.B) {
	body := []byte(`[{"result":1},{"result":[11,` + text("800.015625") + `]}]`)
	decode := upstash.Decoder()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(body, 2); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodePageOf100(b *testing.B) {
	var rows []string
	for i := range 100 {
		rows = append(rows, text(fmt.Sprintf("user_2abcdefghijklmno%03d", i)), text(fmt.Sprint(1000-i)))
	}
	body := []byte(`{"result":[` + strings.Join(rows, ",") + `]}`)
	decode := upstash.Decoder()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(body, -1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPipelineRoundTrip includes the test server's own work.
func BenchmarkPipelineRoundTrip(b *testing.B) {
	srv := fixed(b, `[{"result":1},{"result":[11,`+text("800.015625")+`]}]`)
	c := client(b, srv.URL)
	cmds := submit()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Pipeline(b.Context(), cmds...); err != nil {
			b.Fatal(err)
		}
	}
}
