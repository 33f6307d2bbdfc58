import { invalid } from '@icosa/kernel'
import { maxTypedLength } from '@icosa/tokens/passwords'
import { commonPasswords } from './common.ts'

const shortest = 12
const longest = 128

/** Refuses what is too short, or what somebody would guess first. No rules about kinds of characters: they weaken. */
export function checkNewPassword(
  password: string,
  { email, name = '' }: { readonly email: string; readonly name?: string | undefined },
): void {
  const refuse = (message: string) => invalid([{ at: 'password', message }])
  const characters = password.length > maxTypedLength ? longest + 1 : [...password.normalize('NFKC')].length
  if (characters < shortest || characters > longest) refuse(`has ${shortest} to ${longest} characters`)
  const plain = plainOf(password)
  if ([email, email.split('@')[0] ?? '', name].some((own) => own !== '' && plainOf(own) === plain))
    refuse('is not your e-mail address or your name: choose another one')
  if (commonPasswords.has(password.normalize('NFKC').toLowerCase()) || /^(.)\1*$/su.test(password))
    refuse('is one that is often guessed: choose another one')
}

/** Two texts that look alike to somebody who guesses. */
const plainOf = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
