// Passkeys. A form with data-passkey asks the server for options and the browser for a credential, writes what it
// gets into its hidden field and sends itself. Where the browser knows no passkeys the form stays hidden.
const ceremonies = {
  get: {
    parser: 'parseRequestOptionsFromJSON',
    cancelled: 'No passkey was used. You can try again, or sign in with your password.',
  },
  create: {
    parser: 'parseCreationOptionsFromJSON',
    cancelled: 'No passkey was added. You can try again whenever you like.',
  },
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const kind = form.dataset.passkey
  const { parser, cancelled } = ceremonies[kind]
  const field = form.querySelector('input[name=assertion], input[name=attestation]')
  const button = form.querySelector('button')
  const status = form.querySelector('[role=status]')
  let isBusy = false

  const isKnown = typeof globalThis.PublicKeyCredential?.[parser] === 'function' && navigator.credentials
  if (!isKnown) continue

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    button.setAttribute('aria-disabled', 'true')
    status.textContent = 'Follow the steps that your browser shows.'
    try {
      const publicKey = PublicKeyCredential[parser](await optionsFrom(form.dataset.options))
      const credential = await navigator.credentials[kind]({ publicKey })
      field.value = JSON.stringify(credential.toJSON())
      status.textContent = ''
      form.submit()
    } catch (error) {
      status.textContent = messageFor(error, cancelled)
    } finally {
      isBusy = false
      button.removeAttribute('aria-disabled')
    }
  })
  form.hidden = false
}

async function optionsFrom(address) {
  const answer = await fetch(address, { headers: { accept: 'application/json' }, cache: 'no-store' })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  return answer.json()
}

function messageFor(error, cancelled) {
  // The browser does not tell apart whether the person cancelled, waited too long or has no passkey.
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return cancelled
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  return 'That did not work. Check your connection, reload the page and try again.'
}
