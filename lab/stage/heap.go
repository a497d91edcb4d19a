package stage

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// LiveHeap is the number of bytes that are live after two garbage collections. The second
// frees what finalizers and pools kept through the first.
func LiveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// WatchHeap records the largest heap, in bytes, until the context ends.
func WatchHeap(ctx context.Context) *atomic.Uint64 {
	var most atomic.Uint64
	go func() {
		for ctx.Err() == nil {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapAlloc))
			time.Sleep(50 * time.Millisecond)
		}
	}()
	return &most
}
