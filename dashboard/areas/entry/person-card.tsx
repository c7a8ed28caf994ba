import { Select, TextInput, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { Card, Fields } from '../../kit/detail.tsx'
import { useUndo } from '../../kit/dialog.tsx'
import { KIT_TEXTS } from '../../kit/kit-texts.ts'
import { LANGUAGE_NAMES } from '../../kit/language-names.ts'
import { LOCALES, type Locale } from '../../kit/locale.ts'
import { personCall } from '../../kit/person-call.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import { type Account, useRefreshAccount } from './account.ts'
import { EntryProblem } from './entry-problem.tsx'
import { TEXTS } from './texts/texts.ts'

const BROWSER = 'browser'
const SCHEMES = ['auto', 'light', 'dark'] as const

export function PersonCard({ account }: { account: Account }) {
  const t = useTexts(TEXTS)
  const kit = useTexts(KIT_TEXTS)
  const refresh = useRefreshAccount()
  const offer = useUndo()
  const [name, setName] = useState(account.name)
  const [language, setLanguage] = useState<string>(account.locale ?? BROWSER)
  const write = async (body: { name: string; locale: Locale | null }) => {
    await personCall('PATCH /dashboard/auth/account', { body })
    await refresh()
  }
  const { submit, isSending, error } = useSubmit(async () => {
    const before = { name: account.name, locale: account.locale }
    await write({ name, locale: LOCALES.find((one) => one === language) ?? null })
    offer(t.saved, async () => {
      await write(before)
      setName(before.name)
      setLanguage(before.locale ?? BROWSER)
    })
  })
  return (
    <Card title={t.person}>
      <form className="stack" onSubmit={submit}>
        <Fields items={[[t.email, account.email]]} />
        <TextInput
          label={t.name}
          autoComplete="name"
          required
          withAsterisk={false}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Select
          label={t.language}
          data={[
            { value: BROWSER, label: t.browserLanguage },
            ...LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
          ]}
          value={language}
          onChange={(value) => setLanguage(value ?? BROWSER)}
        />
        <ColorsField />
        <EntryProblem error={error} />
        <SendButton error={error} loading={isSending} style={{ alignSelf: 'flex-start' }}>
          {kit.save}
        </SendButton>
      </form>
    </Card>
  )
}

/** The colour scheme, stored in this browser. */
function ColorsField() {
  const t = useTexts(TEXTS)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Select
      label={t.colors}
      data={SCHEMES.map((value) => ({ value, label: t[`colors_${value}`] }))}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as (typeof SCHEMES)[number])}
    />
  )
}
