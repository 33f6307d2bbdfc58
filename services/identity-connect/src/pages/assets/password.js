// Shows and hides what is typed into a password field. Without this script the buttons stay hidden.
for (const button of document.querySelectorAll('button[data-reveal]')) {
  const input = document.getElementById(button.getAttribute('aria-controls'))
  const status = button.parentElement.querySelector('[role=status]')
  const label = input.labels[0].textContent.trim().toLowerCase()

  const show = (visible) => {
    input.type = visible ? 'text' : 'password'
    button.textContent = visible ? 'Hide' : 'Show'
    button.setAttribute('aria-label', `${button.textContent} ${label}`)
  }
  button.addEventListener('click', () => {
    show(input.type === 'password')
    status.textContent = input.type === 'text' ? 'Your password is shown.' : 'Your password is hidden.'
  })
  // Browsers remember the content of plain text fields, so the field is a password field when submitted.
  input.form.addEventListener('submit', () => show(false))
  button.hidden = false
}
