/** Letters are numbers from 10 on. */
const asDigits = (text: string) => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))

/** The remainder by 97 of a number of any length. */
function by97(digits: string): number {
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest
}

/** Of the bank that there is here. */
const country = 'NL'
const bank = 'ICSA'
export const bic = 'ICSANL2A'

/** The number of an account as an IBAN: the same for the same id, with digits that check. */
export function ibanOf(id: string): string {
  const rest = `${bank}${id.padStart(10, '0')}`
  const check = 98 - by97(asDigits(`${rest}${country}00`))
  return `${country}${String(check).padStart(2, '0')}${rest}`
}

/** Whether its digits check; whether there is such an account is another question. */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && by97(asDigits(text.slice(4) + text.slice(0, 4))) === 1

export const isOurs = (iban: string) => iban.slice(4, 8) === bank && iban.startsWith(country)

/** As people write it: blanks between groups of four, small letters. */
export const plainIban = (text: string) => text.replace(/\s/g, '').toUpperCase()
