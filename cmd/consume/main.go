// Command consume reads scores from a Kafka topic and writes them. It is for systems that
// have Kafka already, on a host where a process may run without end. Any number of these
// processes share the topic's partitions. See docs/operate/kafka.md.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/framedle/leaderboards/internal/feature/queue/kafka"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
)

func main() {
	app.RunConsumer(func(ctx context.Context, log *slog.Logger, take app.TakeScores) error {
		c, err := kafka.FromEnv(os.Getenv)
		if err != nil {
			return err
		}
		consumer, err := kafka.New(c, func(ctx context.Context, messages []host.QueueMessage) (kafka.BatchResult, error) {
			again, dead, err := take(ctx, messages)
			return kafka.BatchResult{Again: again, Dead: dead}, err
		}, log)
		if err != nil {
			return err
		}
		return consumer.Run(ctx)
	})
}
