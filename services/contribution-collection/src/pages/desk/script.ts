/** Moderates without reloading, also by keyboard. The desk works without it. */
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
  for (const each of form.querySelectorAll('button')) each.disabled = true
  const body = new URLSearchParams(new FormData(form))
  body.set('action', action)
  const response = await fetch(form.getAttribute('action'), { method: 'POST', body, headers: { accept: 'application/json' } }).catch(() => undefined)
  const result = response?.ok ? await response.json() : undefined
  if (!result) {
    for (const each of form.querySelectorAll('button')) each.disabled = false
    count.textContent = 'This did not work: ' + (response ? (await response.text()).slice(0, 200) : 'the server did not answer.')
    return
  }
  const all = items()
  const next = all[all.indexOf(item) + 1] ?? all[all.indexOf(item) - 1]
  item.remove()
  count.textContent = 'Contribution ' + result.id + ': ' + result.label + '. ' + result.waiting + ' in this queue.'
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
