/** Decides without leaving the page, and by keys. The desk works without it. */
export const script = `
const queue = document.querySelector('.queue')
const count = document.getElementById('count')
document.querySelector('.keys').hidden = false
const items = () => [...queue.querySelectorAll('.item')]
const current = () => document.activeElement.closest('.item')
function focus(item) {
  if (!item) return
  item.focus({ preventScroll: true })
  item.scrollIntoView({ block: 'nearest' })
}
function move(step) {
  const all = items()
  const at = all.indexOf(current())
  focus(all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)])
}
async function decide(item, action) {
  const form = item.querySelector('form')
  const button = form.querySelector('[value=' + action + ']')
  if (!button || button.disabled) return
  for (const one of form.querySelectorAll('button')) one.disabled = true
  const body = new URLSearchParams(new FormData(form))
  body.set('action', action)
  const answer = await fetch(form.getAttribute('action'), { method: 'POST', body, headers: { accept: 'application/json' } }).catch(() => undefined)
  const said = answer?.ok ? await answer.json() : undefined
  if (!said) {
    for (const one of form.querySelectorAll('button')) one.disabled = false
    count.textContent = 'This did not work: ' + (answer ? (await answer.text()).slice(0, 200) : 'the server did not answer.')
    return
  }
  const all = items()
  const next = all[all.indexOf(item) + 1] ?? all[all.indexOf(item) - 1]
  item.remove()
  count.textContent = 'Contribution ' + said.id + ': ' + said.label + '. ' + said.waiting + ' in this queue.'
  focus(next)
}
queue.addEventListener('submit', (event) => {
  const action = event.submitter?.value
  if (!action) return
  event.preventDefault()
  decide(event.target.closest('.item'), action)
})
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName)
  if (isTyping) {
    if (event.key === 'Escape') focus(current())
    return
  }
  const item = current()
  const decisions = { a: 'approve', r: 'reject', e: 'escalate' }
  if (event.key === 'j') move(1)
  else if (event.key === 'k') move(-1)
  else if (item && decisions[event.key]) decide(item, decisions[event.key])
  else if (item && event.key === 'n') item.querySelector('input[name=notes]').focus()
  else if (item && event.key === 'o') item.querySelector('.pictures a')?.click()
  else return
  event.preventDefault()
})
`
