/** Pages of applications with embedded sign-in. */

const showOutcome = `addEventListener('message', (event) => {
  if (event.origin === origin) document.getElementById('outcome').textContent = event.data
})`

const page = (body: string) => `<!doctype html>
<html lang="en">
<title>Notes</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<style>body { margin: 0; font-family: sans-serif } iframe { border: 0; width: min(100%, 26rem); height: 40rem }</style>
<h1>Notes</h1>
<p id="outcome"></p>
${body}
</html>`

/** A button that opens the sign-in in a popup. */
export const popupPage = (address: string) =>
  page(`<button>Sign in</button>
<script>
${showOutcome}
document.querySelector('button').onclick = () => open(${JSON.stringify(address)}, 'sign-in', 'popup,width=480,height=640')
</script>`)

/** The sign-in in a frame named `sign-in`; `allow` lists permitted features. */
export const framePage = (address: string, allow = '') =>
  page(`<script>
${showOutcome}
</script>
<iframe name="sign-in" title="Sign in" src="${escaped(address)}" allow="${allow}"></iframe>`)

/** Polls both session frames every second; `heard` has the last reply of each. */
export const watchingPage = (issuer: string, clientId: string, sessionState: string) =>
  page(`<iframe name="session" title="Session" src="${issuer}/session/iframe"></iframe>
<iframe name="client" title="Client" src="${issuer}/${clientId}/iframe"></iframe>
<script>
const heard = {}
const names = ['session', 'client']
addEventListener('message', ({ data, source, origin }) => {
  if (origin !== '${new URL(issuer).origin}') return
  heard[names.find((name) => frames[name] === source)] = data
})
const poll = () => names.forEach((name) => frames[name].postMessage('${clientId} ${sessionState}', '${new URL(issuer).origin}'))
addEventListener('load', () => setInterval(poll, 1000))
</script>`)

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
