/** Letters count from 10 (A) to 35 (Z). */
const asDigits = (text: string) => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))

/** Modulo 97 of a number of any length. */
function mod97(digits: string): number {
  let remainder = 0
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97
  return remainder
}

const country = 'NL'
const bank = 'ICSA'
export const bic = 'ICSANL2A'

/** Derives an account's IBAN from its id. */
export function ibanOf(id: string): string {
  const rest = `${bank}${id.padStart(10, '0')}`
  const check = 98 - mod97(asDigits(`${rest}${country}00`))
  return `${country}${String(check).padStart(2, '0')}${rest}`
}

/** Verifies the check digits; the account need not exist. */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && mod97(asDigits(text.slice(4) + text.slice(0, 4))) === 1

export const isOurs = (iban: string) => iban.slice(4, 8) === bank && iban.startsWith(country)

/** Accepts blanks and lower case, as people write IBANs. */
export const plainIban = (text: string) => text.replace(/\s/g, '').toUpperCase()
