// A click that was meant for a page above this one must not allow anything: whoever has only just come to see this page,
// because a window before it closed or it opened under their hand, has not read it.
const readingMs = 700
const form = document.querySelector('form[data-considered]')
const button = form.querySelector('button')
let waiting

function wait() {
  clearTimeout(waiting)
  button.setAttribute('aria-disabled', 'true')
  waiting = setTimeout(() => button.removeAttribute('aria-disabled'), readingMs)
}

wait()
addEventListener('focus', wait)
document.addEventListener('visibilitychange', wait)
form.addEventListener('submit', (event) => {
  if (button.hasAttribute('aria-disabled')) event.preventDefault()
})
