package upstash_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/upstash"
)

func TestEventsAreReadInEveryForm(t *testing.T) {
	for name, tc := range map[string]struct {
		stream string
		want   []string
	}{
		"empty lines between":    {"data: subscribe,a,1\n\ndata: message,a,x\n\n", []string{"subscribe,a,1", "message,a,x"}},
		"none between":           {"data: subscribe,a,1\ndata: message,a,x\n", []string{"subscribe,a,1", "message,a,x"}},
		"crlf":                   {"data: subscribe,a,1\r\n\r\ndata: message,a,x\r\n\r\n", []string{"subscribe,a,1", "message,a,x"}},
		"no space":               {"data:message,a,x\n\n", []string{"message,a,x"}},
		"two spaces":             {"data:  x\n\n", []string{" x"}},
		"several lines":          {"\n\ndata: message,a,x\ndata: message,a,y\ndata:\n\n", []string{"message,a,x\nmessage,a,y\n"}},
		"comments and fields":    {": beat\nid: 1\n\nevent: e\ndata: x\nretry: 5\n\ndatum: y\n\n", []string{"x"}},
		"nothing":                {"\n\n\n", nil},
		"cut within a line":      {"data: message,a,1\n\ndata: message,a,2", []string{"message,a,1"}},
		"cut before the end":     {"\ndata: message,a,1\n\ndata: message,a,2\n", []string{"message,a,1"}},
		"payload in loose lines": {"data: message,a,1\ndata: 2\ndata: message,a,3\n", []string{"message,a,1\n2", "message,a,3"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := upstash.Events(strings.NewReader(tc.stream), 1<<10)
			require.ErrorIs(t, err, io.EOF)
			require.Equal(t, tc.want, got)
		})
	}
}

func TestAnEventOfBoundedLengthIsEnough(t *testing.T) {
	for _, stream := range []string{
		"data: " + strings.Repeat("x", 1<<20),
		strings.Repeat("x", 1<<20),
		"\n" + strings.Repeat("data: xxxxxxxx\n", 1<<10),
	} {
		_, err := upstash.Events(strings.NewReader(stream), 1<<10)
		require.ErrorIs(t, err, upstash.ErrTooLong)
	}
}

func TestFramesAreReadByTheNamesSubscribedTo(t *testing.T) {
	for data, want := range map[string]upstash.Message{
		"message,a,x":         {Channel: "a", Payload: "x"},
		"message,a,":          {Channel: "a"},
		"message,a,x,y\nz":    {Channel: "a", Payload: "x,y\nz"},
		"message,a,b,x":       {Channel: "a", Payload: "b,x"},
		"message,with,two,x":  {Channel: "with,two", Payload: "x"},
		"message,other,x":     {Channel: "other", Payload: "x"},
		"pmessage,l*,lb,x,y":  {Pattern: "l*", Channel: "lb", Payload: "x,y"},
		"pmessage,{a,b},a,x":  {Pattern: "{a,b}", Channel: "a", Payload: "x"},
		"pmessage,l*,lb":      {},
		"message,a":           {},
		"message":             {},
		"":                    {},
		"unknown,a,x":         {},
		"unsubscribe,a,0":     {},
		"message,with,twoo,x": {Channel: "with", Payload: "twoo,x"},
	} {
		_, got, ok := upstash.ParseFrame(data, "a", "with,two", "l*", "{a,b}")
		require.Equal(t, want, got, data)
		require.Equal(t, want != upstash.Message{}, ok, data)
	}
}

func TestConformingStreamsReadTheSameInAnyPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.StringMatching(`[a-z,: ]{0,8}(\n[a-z,: ]{0,8}){0,3}`)).Draw(t, "events")
		var stream strings.Builder
		stream.WriteString("\n")
		for _, event := range want {
			for line := range strings.SplitSeq(event, "\n") {
				stream.WriteString("data: " + line + "\n")
			}
			stream.WriteString("\n")
		}
		for _, r := range []io.Reader{
			strings.NewReader(stream.String()),
			iotest.OneByteReader(strings.NewReader(stream.String())),
			iotest.HalfReader(strings.NewReader(stream.String())),
		} {
			got, err := upstash.Events(r, 1<<10)
			require.ErrorIs(t, err, io.EOF)
			require.Equal(t, len(want), len(got))
			for i := range want {
				require.Equal(t, want[i], got[i])
			}
		}
	})
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: subscribe,a,1\n\ndata: message,a,x\ndata: y\n\n"))
	f.Add([]byte("data: pmessage,*,a,x\r\n: beat\r\n\r\n"))
	f.Add([]byte("data:\ndata: message,,\nx"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		const limit = 256
		got, err := upstash.Events(iotest.OneByteReader(strings.NewReader(string(stream))), limit)
		require.Error(t, err)
		total := 0
		for _, data := range got {
			require.LessOrEqual(t, len(data), limit)
			total += len(data)
			if kind, m, ok := upstash.ParseFrame(data, "a", "*"); ok {
				require.NotEmpty(t, kind)
				require.LessOrEqual(t, len(m.Pattern)+len(m.Channel)+len(m.Payload), len(data))
			}
		}
		require.LessOrEqual(t, total, len(stream))
	})
}
