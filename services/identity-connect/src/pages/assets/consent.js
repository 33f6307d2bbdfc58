// Against clickjacking by timing: a click meant for a window that just closed, or made before this page was read, must not
// grant anything.
const readingMs = 700
const form = document.querySelector('form[data-considered]')
const button = form.querySelector('button')
let timer

function wait() {
  clearTimeout(timer)
  button.setAttribute('aria-disabled', 'true')
  timer = setTimeout(() => button.removeAttribute('aria-disabled'), readingMs)
}

wait()
addEventListener('focus', wait)
document.addEventListener('visibilitychange', wait)
form.addEventListener('submit', (event) => {
  if (button.hasAttribute('aria-disabled')) event.preventDefault()
})
