import { invalid } from '@icosa/kernel'
import { maxTypedLength } from '@icosa/tokens/passwords'
import { commonPasswords } from './common.ts'

const minLength = 12
const maxLength = 128

/** Rejects short and common passwords. There are no rules for kinds of characters, since these weaken passwords. */
export function checkNewPassword(
  password: string,
  { email, name = '' }: { readonly email: string; readonly name?: string | undefined },
): void {
  const refuse = (message: string) => invalid([{ at: 'password', message }])
  const characters = password.length > maxTypedLength ? maxLength + 1 : [...password.normalize('NFKC')].length
  if (characters < minLength || characters > maxLength) refuse(`must have ${minLength} to ${maxLength} characters`)
  const plain = plainOf(password)
  if ([email, email.split('@')[0] ?? '', name].some((own) => own !== '' && plainOf(own) === plain))
    refuse('must not be your e-mail address or your name: choose another one')
  if (commonPasswords.has(password.normalize('NFKC').toLowerCase()) || /^(.)\1*$/su.test(password))
    refuse('is commonly used: choose another one')
}

/** Ignores case, composition and blanks. */
const plainOf = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
