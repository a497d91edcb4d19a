// A client for games in C#: Unity 2023.1 or later with the package com.unity.nuget.newtonsoft-json,
// or .NET with Newtonsoft.Json. Only Send and Wait differ between the two.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json;
#if UNITY_2023_1_OR_NEWER
using UnityEngine;
using UnityEngine.Networking;
#else
using System.Net.Http;
#endif

namespace Framedle
{
    // The fields that this file reads; the OpenAPI document has all of them.
    public class ScoreResult
    {
        public string status; // accepted, improved, kept, replayed; queued or held have no rank yet
        public double? score;
        public int? rank;
        public int? total;
    }

    public class Entry
    {
        public int rank;
        public string player;
        public string name; // null if the player has none
        public double score;
    }

    public class Page
    {
        public int total;
        public List<Entry> entries;
        public string next_cursor; // null on the last page
    }

    public class Card
    {
        public int? rank; // null if the player is not on the board
        public double? score;
        public int total;
        public double? percentile;
    }

    // LeaderboardsException is an error response of the API, or a request without a response.
    public class LeaderboardsException : Exception
    {
        public readonly int Status; // 0 without a response
        public readonly string Code; // as in the list of errors, such as "date-closed"; "network" without a response
        public readonly double? RetryAfter; // seconds

        public LeaderboardsException(int status, string code, string detail, double? retryAfter) : base(detail)
        {
            Status = status;
            Code = code;
            RetryAfter = retryAfter;
        }

        // A conflict is temporary while an earlier attempt with the same key is still running.
        public bool IsTemporary
        {
            get
            {
                return Status == 0 || Status == 408 || Status == 429 || (Status >= 500 && Status != 501)
                    || Code == "idempotency-key-in-use";
            }
        }
    }

    public class Leaderboards
    {
        const int Attempts = 4;
        const int TimeoutSeconds = 10; // of one attempt
        const double LongestWait = 20; // seconds; a longer Retry-After is left to the caller

        readonly string url;
        readonly Func<Task<string>> token;
        readonly System.Random random = new System.Random();

        // token returns the player's current session or device token; it is called before each attempt.
        public Leaderboards(string url, Func<Task<string>> token)
        {
            this.url = url.TrimEnd('/') + "/v1";
            this.token = token;
        }

        // Submit sends a score. A score that must survive a restart of the game needs a key of the
        // caller's: store it with the score, and send both again until there is a result.
        public Task<ScoreResult> Submit(string mode, double score, string key = null)
        {
            var body = JsonConvert.SerializeObject(new { mode, score });
            return Ask<ScoreResult>("POST", "/scores", true, body, key ?? Guid.NewGuid().ToString());
        }

        // ReadPage reads a page of a board; the cursor is the next_cursor of the page before.
        public Task<Page> ReadPage(string mode, string period = "day", int limit = 50, string cursor = null)
        {
            var after = cursor == null ? "" : "&cursor=" + cursor;
            return Ask<Page>("GET", "/leaderboards/" + mode + "?period=" + period + "&limit=" + limit + after, false);
        }

        public Task<Card> ReadOwnCard(string mode, string period = "day")
        {
            return Ask<Card>("GET", "/leaderboards/" + mode + "/players/me?period=" + period, true);
        }

        // All attempts send the same key, so the request takes effect once.
        async Task<T> Ask<T>(string method, string path, bool own, string body = null, string key = null)
        {
            for (var attempt = 1; ; attempt++)
            {
                var headers = new Dictionary<string, string>();
                if (own) headers["Authorization"] = "Bearer " + await token();
                if (key != null) headers["Idempotency-Key"] = "\"" + key + "\"";
                var response = await Send(method, url + path, headers, body);
                if (response.Status >= 200 && response.Status < 300) return JsonConvert.DeserializeObject<T>(response.Body);
                var failure = Failure(response);
                var wait = failure.RetryAfter ?? random.NextDouble() * 0.25 * Math.Pow(2, attempt);
                if (!failure.IsTemporary || attempt == Attempts || wait > LongestWait) throw failure;
                await Wait(wait);
            }
        }

        struct Response
        {
            public int Status; // 0 without a response
            public string Body;
            public string RetryAfter;
        }

        class Problem
        {
            public string code = null;
            public string detail = null;
        }

        static LeaderboardsException Failure(Response response)
        {
            if (response.Status == 0) return new LeaderboardsException(0, "network", response.Body, null);
            Problem problem = null;
            try
            {
                problem = JsonConvert.DeserializeObject<Problem>(response.Body);
            }
            catch (JsonException)
            {
                // a gateway's own error page
            }
            problem = problem ?? new Problem();
            double seconds;
            var hasWait = double.TryParse(response.RetryAfter, NumberStyles.Float, CultureInfo.InvariantCulture, out seconds);
            return new LeaderboardsException(response.Status, problem.code ?? "http-" + response.Status,
                problem.detail ?? "status " + response.Status, hasWait ? seconds : (double?)null);
        }

#if UNITY_2023_1_OR_NEWER
        static async Task<Response> Send(string method, string address, Dictionary<string, string> headers, string body)
        {
            using (var request = new UnityWebRequest(address, method))
            {
                request.downloadHandler = new DownloadHandlerBuffer();
                request.timeout = TimeoutSeconds;
                request.redirectLimit = 0;
                if (body != null)
                {
                    request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(body));
                    request.SetRequestHeader("Content-Type", "application/json");
                }
                foreach (var header in headers) request.SetRequestHeader(header.Key, header.Value);
                await Awaitable.FromAsyncOperation(request.SendWebRequest());
                if (request.result == UnityWebRequest.Result.ConnectionError || request.result == UnityWebRequest.Result.DataProcessingError)
                    return new Response { Body = request.error };
                return new Response
                {
                    Status = (int)request.responseCode,
                    Body = request.downloadHandler.text,
                    RetryAfter = request.GetResponseHeader("Retry-After"),
                };
            }
        }

        // Task.Delay does not end in WebGL builds.
        static async Task Wait(double seconds)
        {
            await Awaitable.WaitForSecondsAsync((float)seconds);
        }
#else
        static readonly HttpClient http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false })
        {
            Timeout = TimeSpan.FromSeconds(TimeoutSeconds),
        };

        static async Task<Response> Send(string method, string address, Dictionary<string, string> headers, string body)
        {
            var request = new HttpRequestMessage(new HttpMethod(method), address);
            if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            foreach (var header in headers) request.Headers.TryAddWithoutValidation(header.Key, header.Value);
            try
            {
                using (var response = await http.SendAsync(request))
                {
                    IEnumerable<string> waits;
                    return new Response
                    {
                        Status = (int)response.StatusCode,
                        Body = await response.Content.ReadAsStringAsync(),
                        RetryAfter = response.Headers.TryGetValues("Retry-After", out waits) ? string.Join("", waits) : null,
                    };
                }
            }
            catch (HttpRequestException failure)
            {
                return new Response { Body = failure.Message };
            }
            catch (TaskCanceledException)
            {
                return new Response { Body = "timeout" };
            }
        }

        static Task Wait(double seconds)
        {
            return Task.Delay(TimeSpan.FromSeconds(seconds));
        }
#endif
    }

#if LEADERBOARDS_EXAMPLE
    static class Example
    {
        // Arguments: the API's address, a player's token, a mode.
        static int Main(string[] args)
        {
            return Run(new Leaderboards(args[0], () => Task.FromResult(args[1])), args[2]).Result;
        }

        static async Task<int> Run(Leaderboards boards, string mode)
        {
            var result = await boards.Submit(mode, 62.5);
            Console.WriteLine("submitted: {0}, rank {1} of {2}", result.status, result.rank, result.total);
            foreach (var entry in (await boards.ReadPage(mode)).entries)
                Console.WriteLine("{0}. {1} {2}", entry.rank, entry.name ?? entry.player, entry.score.ToString(CultureInfo.InvariantCulture));
            Console.WriteLine("own rank: {0}", (await boards.ReadOwnCard(mode)).rank);
            try
            {
                await boards.ReadPage("no_such_mode");
                return 1;
            }
            catch (LeaderboardsException failure)
            {
                Console.WriteLine("refused: {0} {1}", failure.Status, failure.Code);
                return 0;
            }
        }
    }
#endif
}
