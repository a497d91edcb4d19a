package otlp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/sdk/metric"
)

const (
	envMetricsEndpoint = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT" // the complete address; where this and envEndpoint are empty: no metrics
	envMetrics         = "OTEL_METRICS_EXPORTER"               // otlp, or none
)

// SendMetrics sends what a registry gathers to the collector that the environment names, each
// minute unless OTEL_METRIC_EXPORT_INTERVAL says otherwise. The returned function sends it once
// more and ends the sending; nil: the environment names no collector. SendMetrics opens no
// connection.
func SendMetrics(from prometheus.Gatherer, getenv func(string) string, version string, log *slog.Logger) (end func(context.Context) error, err error) {
	wanted, err := collector(getenv, envMetricsEndpoint)
	switch to := getenv(envMetrics); to {
	case "", "otlp":
	case "none":
		return nil, nil
	default:
		err = errors.Join(err, fmt.Errorf("%s is %.20q: use otlp or none", envMetrics, to))
	}
	if err != nil || !wanted {
		return nil, err
	}
	otel.SetErrorHandler(&logHandler{log: log})
	ctx := context.Background()
	exporter, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("what sends metrics: %w", err)
	}
	of, err := process(ctx, version)
	if err != nil {
		return nil, err
	}
	reader := metric.NewPeriodicReader(exporter, metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(from))))
	return metric.NewMeterProvider(metric.WithReader(reader), metric.WithResource(of)).Shutdown, nil
}
