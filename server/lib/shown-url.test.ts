import { equal, match } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shownUrlViolation } from './shown-url.ts'

describe('SEC-25: a URL that people are shown or led to', () => {
  for (const url of [
    'https://shop.example/terms',
    'https://shop.example/@ana?to=a@b.example#a@b',
    'http://localhost:3000/',
    'https://müller.example/',
  ])
    test(`may be ${url}`, () => equal(shownUrlViolation(url), null))

  const rows: [url: string, violation: RegExp][] = [
    ['https://bank.example@evil.example/', /user name/],
    ['https://bank.example:pw@evil.example/', /user name/],
    ['https://@evil.example/', /user name/],
    ['https:bank.example@evil.example/', /user name/],
    ['HTTPS:///bank.example@evil.example/', /user name/],
    ['javascript:alert(1)', /https/],
    ['data:text/html,x', /https/],
    ['ftp://shop.example/', /https/],
    ['https:shop.example', /https/],
    ['https://shop.example\\@evil.example/', /blanks/],
    ['https://shop.example/\tx', /blanks/],
    [' https://shop.example/', /blanks/],
    ['https://shop.example/\u202egpj.exe', /blanks/],
    ['https://sh\u200bop.example/', /blanks/],
    ['/terms', /absolute/],
  ]
  for (const [url, violation] of rows)
    test(`may not be ${JSON.stringify(url)}`, () => match(shownUrlViolation(url) ?? '', violation))
})
