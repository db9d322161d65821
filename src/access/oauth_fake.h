// Tokens of an issuer that exists only here: its private keys were thrown away after signing. For
// tests.
#pragma once

namespace holdfast::access::oauth_fake {

// Good until 2096: issuer https://id.example, audience https://memory.example/mcp, subject anna,
// scope write; each other one differs as its name says.
inline constexpr const char* kJwks =
    "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"r\",\"use\":\"sig\",\"n\":\"szFwdC-"
    "iUafIJbKvvC7mk1mHy7COJ9Dt1MdvnSSjT"
    "pdultCxUYodLf0iId4qUYqwMPhooTqGL7qyoOOz3oZCKOX2zRzXBVa3mHAvnkDs5FIzy3aNUbXwe505iwQkWPEZLhv"
    "XEF87FC8CZ6Ryb2qGDmsjsr_6af3_axvrFD3XY4MAQ1C0TuaTlKeAMz3yTK7C50txHB3D0Il_FzVGbxqHBvY5yczPV"
    "l3Fh7CCWrQ3u0PraRe59X5PvuBH47XkWBCHacv72XgxG-l9sFopqvdqo620p3VWJOr4bOFyq-ci8Yy-99e35AAtsyi"
    "D93_YViqSyMjlTqbMo6E71WGjkpNGDw\",\"e\":\"AQAB\"},{\"kty\":\"EC\",\"kid\":\"e\",\"crv\":\"P-"
    "256\",\"x\":\"8b5Y"
    "pZ3mq633qZfWd8ayBD_j0b8X1WAOxtY4Cwle_x4\",\"y\":\"XKw0dEdH3051gvUxt_"
    "Laf4vxwUNvEUktP2Wafh158CY\""
    "},{\"kty\":\"OKP\",\"kid\":\"d\",\"crv\":\"Ed25519\",\"x\":\"UuoVm1psw9IuBYT36_"
    "zaYfOOmARXQXWwh40gj87pIMc\""
    "}]}";
inline constexpr const char* kRs256 =
    "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6InIifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJleHAiOjQwMDAwMDAwMDAsI"
    "nNjb3BlIjoid3JpdGUifQ.pH5BpaUAt1TYdXwY1kCuxqmHXlBNorvBswvokrsJaqWRZvbahiFm_G2UUQd87LPd5E26"
    "3YRy7qywEfK_GIXfPey8NBsmjaB2shBaJVypGfEba3aszrck6BYTTfyuhKJLbJkwbTge6MtkDg1O88Ho7uiTnvNxax"
    "fx4sBFp964HffR_xej95Q6MNMQw5SakeCeU8R1HNn26E1WrOwNc2xp1OFq2gV9dNlaA7BrGz2OW5ExvQwvMztcJG-c"
    "5PAEAcC7KbC5e9I-hQxDtdU6H7PUpbWMFITX9c9YNhfj7nXZczehS8EKCYjWwhYU8P4czmHo5WGQIiHdToj1KG157v"
    "mY3A";
inline constexpr const char* kEs256 =
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImUifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOlsieCIsImh0dHBzOi8vbWVtb3J5LmV4YW1wbGUvbWNwIl0sInN1YiI6ImFubmEiLCJleHAiOjQwMDAwM"
    "DAwMDAsInNjb3BlIjoicmVhZCJ9.Mo8YxKvJ0-cxjfgZiOd6oCQ5BCN7yWuQakY-njevTEOH_WHGtZAryWVxFudNx6"
    "FXCmXM6SQjVPJaXu92N_CwLw";
inline constexpr const char* kEdDsa =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJod"
    "HRwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJleHAiOjQwMDAwMDAwMDAsInNjb3BlIjoiYWR"
    "taW4ifQ.y_jfMCn98hI_9lgU3cb5vxUNUbanhOULI3BqLqBJqY1e5Rvs4cYNYYq0bukesZ2j3yutCBCjHc1wdLyY7h"
    "NRDQ";
inline constexpr const char* kOtherIssuer =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImQifQ.eyJpc3MiOiJodHRwczovL290aGVyLmV4YW1"
    "wbGUiLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJleHAiOjQwMDAwMDAwM"
    "DAsInNjb3BlIjoid3JpdGUifQ.6HcohINxDDA4RubvEzPa9RVUmcftfyAMIhmnv030DnFddbhOVT38EJk-iCgYpeyT"
    "mq8jnYHSpEOjFFQzKixiAQ";
inline constexpr const char* kOtherAudience =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImQifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlIiwic3ViIjoiYW5uYSIsImV4cCI6NDAwMDAwMDAwMCwic2Nvc"
    "GUiOiJ3cml0ZSJ9.h7-iyGEqM-KON7zCoDRcFa0EJhxYzKwE6VhrdN0Bms0nKmVCyCX2v_f_Mf_FMfcQFOzfCMB0_6"
    "wlFoTksfMXBA";
inline constexpr const char* kExpired =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImQifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJleHAiOjEwMDAsInNjb3BlI"
    "joid3JpdGUifQ._o4-68I3ArxPsfAg0iE3qC0eFT6Sh4Vo5WPxYVJDvq3Cy7ds3ELYBmsWKXlUtGpKAwyxVbKR361Y"
    "fpXI8SPCCQ";
inline constexpr const char* kNoExpiry =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImQifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJzY29wZSI6IndyaXRlIn0.D"
    "bQxc53CjacRow0NE1sg-XiatLPBYMTMBigbb6Er5Icsapg_97qX6GNGRAJBLRxo4ZE7v-Ozxy41EJnJFuH-Bw";
inline constexpr const char* kNotYet =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImQifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJleHAiOjQwMDAwMDAwMDAsI"
    "nNjb3BlIjoid3JpdGUiLCJuYmYiOjM5MDAwMDAwMDB9.IX_nIMHTAp8yR_nqp0UjqOAQUil8WKPtG7tB6PE4YiiFSf"
    "Lu753rKdScJU6K4IEQ10lZ7mVpAJ1pRacNwwdUDA";
inline constexpr const char* kNoSubject =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImQifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlL21jcCIsImV4cCI6NDAwMDAwMDAwMCwic2NvcGUiOiJ3cml0Z"
    "SJ9.Cwe35V8A2I8-0KCckXelZ3294OXnADnOSVcXpTKzOHElTjqjU2SWoZD7jISQ1gmvcgWLuVDAYIstb0eBkRofAA";
inline constexpr const char* kUnsigned =
    "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJodH"
    "RwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJleHAiOjQwMDAwMDAwMDAsInNjb3BlIjoid3Jp"
    "dGUifQ.";
inline constexpr const char* kUnknownKey =
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6InoifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGU"
    "iLCJhdWQiOiJodHRwczovL21lbW9yeS5leGFtcGxlL21jcCIsInN1YiI6ImFubmEiLCJleHAiOjQwMDAwMDAwMDAsI"
    "nNjb3BlIjoid3JpdGUifQ.IVSe2m4AhpMy-Zqqi0AidbDQmaS9nAafPPIWu3pwLhPgykE6bYsSz_RQuSczU2ALqYtU"
    "lG0BXgdzxz6KtNcfCA";

}  // namespace holdfast::access::oauth_fake
