package respond_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/respond"
)

// A caller who has the answer gets 304, in whatever form the tag is sent back; and Unchanged
// reports so afterwards.
func TestWhoHasAnAnswerIsToldThatNothingHasChanged(t *testing.T) {
	body := []byte(`{"a":1}`)
	tag := respond.Tag(body)
	strong := strings.TrimPrefix(tag, "W/")
	for sent, unchanged := range map[string]bool{
		"": false, `W/"other"`: false, strings.Trim(strong, `"`): false,
		tag: true, strong: true, "*": true, `"other", ` + tag: true,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		if sent != "" {
			r.Header.Set("If-None-Match", sent)
		}
		w := httptest.NewRecorder()
		require.False(t, respond.Unchanged(w.Header(), r), "nothing is set yet: %s", sent)
		respond.Tagged(w, r, "private, no-cache", body, tag)
		require.Equal(t, unchanged, respond.Unchanged(w.Header(), r), sent)
		require.Equal(t, "private, no-cache", w.Header().Get("Cache-Control"))
		require.Equal(t, "Authorization", w.Header().Get("Vary"))
		if unchanged {
			require.Equal(t, http.StatusNotModified, w.Code, sent)
			require.Empty(t, w.Body.Bytes())
			continue
		}
		require.Equal(t, http.StatusOK, w.Code, sent)
		require.Equal(t, body, w.Body.Bytes())
	}
}

// HEAD gets the length that GET would have, and no body.
func TestHeadIsToldTheLengthOfAnAnswer(t *testing.T) {
	w := httptest.NewRecorder()
	require.NoError(t, respond.JSON(w, httptest.NewRequest(http.MethodHead, "/", http.NoBody), http.StatusCreated, map[string]int{"a": 1}))
	require.Equal(t, http.StatusCreated, w.Code)
	require.Equal(t, "7", w.Header().Get("Content-Length"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.Empty(t, w.Body.Bytes())
}
