// Command hello is the smallest program with aws-lambda-go; start-up times are compared
// with it.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() {
	lambda.Start(func() (string, error) { return "hello", nil })
}
