// The proxy was started with OPENAI_API_KEY. This program has no key, and can do nothing but what targets.json allows.
const response = await fetch("http://localhost:8080/v1/chat/completions", {
  method: "POST",
  headers: { proxy_host: "https://api.openai.com", "content-type": "application/json" },
  body: JSON.stringify({ model: "gpt-5-mini", messages: [{ role: "user", content: "Say hello" }] }),
});
const { choices, detail } = await response.json();
console.log(detail ?? choices[0].message.content);
