package kafka

import (
	"cmp"
	"crypto/tls"
	"errors"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// Config says which topic to read, and how to connect.
type Config struct {
	Brokers  []string // host:port
	Topic    string
	Group    string
	Dead     string // the topic of dead letters
	TLS      bool
	SASL     string // "", plain, scram-sha-256 or scram-sha-512
	User     string
	Password string
	Session  time.Duration // after so long without a sign of life, a consumer's partitions go to others
}

// Names of the variables.
const (
	envBrokers  = "KAFKA_BROKERS"
	envTopic    = "KAFKA_TOPIC"
	envGroup    = "KAFKA_GROUP"
	envDead     = "KAFKA_DEAD_TOPIC"
	envTLS      = "KAFKA_TLS"
	envSASL     = "KAFKA_SASL"
	envUser     = "KAFKA_USER"
	envPassword = "KAFKA_PASSWORD"
	envSession  = "KAFKA_SESSION"
)

// defaultSession is Kafka's default.
const defaultSession = 45 * time.Second

// FromEnv reads a Config, or returns an error that names every wrong variable.
func FromEnv(getenv func(string) string) (Config, error) {
	get := func(name string) string { return strings.TrimSpace(getenv(name)) }
	c := Config{
		Topic: get(envTopic), Group: cmp.Or(get(envGroup), "leaderboards"), Dead: get(envDead),
		SASL: get(envSASL), User: get(envUser), Password: get(envPassword), Session: defaultSession,
	}
	var errs []error
	for _, broker := range strings.Split(get(envBrokers), ",") {
		if broker = strings.TrimSpace(broker); broker != "" {
			c.Brokers = append(c.Brokers, broker)
		}
	}
	if len(c.Brokers) == 0 {
		errs = append(errs, errors.New(envBrokers+" is not set: name brokers as host:port, with commas between"))
	}
	if c.Topic == "" {
		errs = append(errs, errors.New(envTopic+" is not set: name the topic that scores are in"))
	}
	c.Dead = cmp.Or(c.Dead, c.Topic+".dead")
	if c.Dead == c.Topic {
		errs = append(errs, errors.New(envDead+" is the topic itself: dead letters need one of their own"))
	}
	if text := get(envSession); text != "" {
		session, err := time.ParseDuration(text)
		if err != nil || session < time.Second || session > 5*time.Minute {
			errs = append(errs, errors.New(envSession+" must be a time from 1s to 5m, such as 45s"))
		}
		c.Session = session
	}
	switch get(envTLS) {
	case "", "off":
	case "on":
		c.TLS = true
	default:
		errs = append(errs, errors.New(envTLS+" must be on or off"))
	}
	if _, err := c.options(); err != nil {
		errs = append(errs, err)
	}
	return c, errors.Join(errs...)
}

// options are the options of every client.
func (c Config) options() ([]kgo.Opt, error) {
	options := []kgo.Opt{kgo.SeedBrokers(c.Brokers...), kgo.ClientID("leaderboards")}
	if c.TLS {
		options = append(options, kgo.DialTLSConfig(&tls.Config{MinVersion: tls.VersionTLS12}))
	} else {
		options = append(options, kgo.DialTimeout(10*time.Second))
	}
	switch c.SASL {
	case "":
		return options, nil
	case "plain":
		return append(options, kgo.SASL(plain.Auth{User: c.User, Pass: c.Password}.AsMechanism())), nil
	case "scram-sha-256":
		return append(options, kgo.SASL(scram.Auth{User: c.User, Pass: c.Password}.AsSha256Mechanism())), nil
	case "scram-sha-512":
		return append(options, kgo.SASL(scram.Auth{User: c.User, Pass: c.Password}.AsSha512Mechanism())), nil
	}
	return nil, errors.New(envSASL + " must be plain, scram-sha-256 or scram-sha-512, or be left out")
}
