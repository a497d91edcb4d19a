package lru_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/lru"
)

func TestWhatWasUsedLastIsRemembered(t *testing.T) {
	c := lru.New[string, [2]int](2)
	require.False(t, c.Add("a", [2]int{1, 1}))
	require.False(t, c.Add("b", [2]int{2, 2}))
	a, ok := c.Get("a")
	require.Equal(t, [2]int{1, 1}, a)
	require.True(t, ok)
	_, _ = c.Peek("b") // which uses nothing
	require.True(t, c.Contains("b"))
	require.True(t, c.Add("c", [2]int{3, 3}))
	require.Equal(t, []string{"a", "c"}, c.Keys())
	require.Equal(t, 2, c.Len())
	b, ok := c.Get("b")
	require.Zero(t, b)
	require.False(t, ok)

	require.False(t, c.Add("a", [2]int{4, 4}))
	a, ok = c.Peek("a")
	require.Equal(t, [2]int{4, 4}, a)
	require.True(t, ok)
	c.Remove("a")
	require.False(t, c.Contains("a"))
	c.Purge()
	require.Zero(t, c.Len())
}

// What is remembered may be a pointer, an interface, or nothing at all.
func TestAnyValueIsRemembered(t *testing.T) {
	n := 7
	pointers := lru.New[int, *int](1)
	pointers.Add(1, &n)
	got, _ := pointers.Get(1)
	require.Same(t, &n, got)
	pointers.Add(1, nil)
	got, ok := pointers.Get(1)
	require.Nil(t, got)
	require.True(t, ok)

	keys := lru.New[int, struct{}](1)
	keys.Add(1, struct{}{})
	require.True(t, keys.Contains(1))
}
