import { type FormEvent, useEffect, useState } from 'react'
import { access } from '../data/access.ts'
import { beginSignIn, finishSignIn, isReturning, type SignInSettings, signInSettings } from '../data/sign-in.ts'
import { Documents } from '../parts/documents.tsx'

/** Asks people to sign in at the issuer, if there is one, or for a key. */
export function SignIn() {
  return (
    <main className="sign-in">
      <h1>Icosa</h1>
      {signInSettings ? (
        <>
          <Person settings={signInSettings} />
          <details>
            <summary>Use an API key instead</summary>
            <KeyForm />
          </details>
        </>
      ) : (
        <KeyForm />
      )}
      <Documents isDevelopment={false} />
    </main>
  )
}

function Person({ settings }: { readonly settings: SignInSettings }) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(isReturning)
  const fail = ({ message }: Error) => {
    setBusy(false)
    setProblem(message)
  }
  useEffect(() => {
    if (isReturning()) finishSignIn(settings).catch(fail)
  }, [settings])
  const begin = () => {
    setBusy(true)
    beginSignIn(settings).catch(fail)
  }
  return (
    <>
      <p className="muted">
        Sign in at {new URL(settings.issuer).host}. Your access token is kept in memory until the page is closed or
        reloaded.
      </p>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="buttons">
        <button type="button" disabled={isBusy} onClick={begin}>
          {isBusy ? 'Signing in' : 'Sign in'}
        </button>
      </div>
    </>
  )
}

/** Asks for a key, which is kept in memory until the page is closed or reloaded. */
function KeyForm() {
  const [key, setKey] = useState('')
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (key) access.set({ key, ...(id && secret && { signing: { id, secret } }) })
  }
  return (
    <>
      <p className="muted">Enter an API key from your operator. It is kept in memory and never stored.</p>
      <form className="call" onSubmit={onSubmit}>
        <div className="field">
          <label htmlFor="key">Key</label>
          <input
            id="key"
            type="password"
            autoComplete="off"
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
        </div>
        <details>
          <summary>Access key for signed services</summary>
          <div className="field">
            <label htmlFor="id">Access key ID</label>
            <input id="id" autoComplete="off" value={id} onChange={({ target }) => setId(target.value)} />
          </div>
          <div className="field">
            <label htmlFor="secret">Secret</label>
            <input
              id="secret"
              type="password"
              autoComplete="off"
              value={secret}
              onChange={({ target }) => setSecret(target.value)}
            />
          </div>
        </details>
        <div className="buttons">
          <button type="submit">{signInSettings ? 'Use the key' : 'Sign in'}</button>
        </div>
      </form>
    </>
  )
}
