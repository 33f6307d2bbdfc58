// A form with data-passkey fetches options from the server, asks the browser for a credential, writes it into its hidden
// field and submits itself. In browsers without passkeys the form stays hidden.
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

  const isSupported = typeof globalThis.PublicKeyCredential?.[parser] === 'function' && navigator.credentials
  if (!isSupported) continue

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
  const response = await fetch(address, { headers: { accept: 'application/json' }, cache: 'no-store' })
  if (!response.ok) throw new Error(`${address} returned ${response.status}`)
  return response.json()
}

function messageFor(error, cancelled) {
  // The browser does not distinguish cancellation, timeout and missing passkeys.
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return cancelled
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  return 'That did not work. Check your connection, reload the page and try again.'
}
