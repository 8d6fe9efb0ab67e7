import type { EntryReason, Explanation } from '../reason.js';
import type { Pause } from '../options.js';

/** Why an order waits, was refused or has stalled. A reason without a sentence does not compile. */
export const reasonsInGerman: Record<EntryReason, Explanation> = {
  AbortedError: {
    meaning: 'Der Versuch wurde abgebrochen, bevor eine Antwort kam.',
    remedy: 'Nichts zu tun: Die Bestellung wird mit derselben ID noch einmal gesendet.',
  },
  AuthenticationError: {
    meaning: 'Der Dienst hat das Token abgelehnt (401), oder das Programm hat keines.',
    remedy: 'Erneuern Sie das Token. Danach wird die Bestellung von selbst gesendet.',
  },
  ConflictError: {
    meaning: 'Der Dienst hat unter dieser ID eine andere Bestellung (409) oder erkennt diese nicht wieder.',
    remedy: 'Suchen Sie die ID an der Kasse, bevor Sie etwas senden: Vielleicht haben zwei Verkäufe dieselbe.',
  },
  ConnectionError: {
    meaning: 'Die Verbindung zum Dienst ist fehlgeschlagen.',
    remedy: 'Berichtigen Sie einen falschen Namen oder ein abgelaufenes Zertifikat. Sonst ist nichts zu tun.',
  },
  NotFoundError: {
    meaning: 'Der Dienst kennt den Pfad, die Firma oder den Standort nicht (404).',
    remedy: 'Prüfen Sie die Adresse des Dienstes, CompanyId und EntityId, und senden Sie die Bestellung dann erneut.',
  },
  PermissionError: {
    meaning: 'Das Token darf für diese Firma, diesen Standort oder diesen Integrator nicht bestellen (403).',
    remedy: 'Lassen Sie das Recht erteilen, und senden Sie die Bestellung dann erneut.',
  },
  RateLimitError: {
    meaning: 'Der Dienst hat um eine Pause gebeten (429).',
    remedy: 'Nichts zu tun: Die Bestellung wird nach der Pause gesendet.',
  },
  RejectedError: {
    meaning: 'Der Dienst hat die Bestellung abgelehnt. Die Einzelheiten nennen den Grund.',
    remedy: 'Ersetzen Sie die Bestellung durch eine berichtigte, oder beheben Sie die Ursache beim Dienst.',
  },
  ServerError: {
    meaning: 'Der Dienst war gestört (5xx). Vielleicht hat er die Bestellung.',
    remedy: 'Nichts, solange sie wartet. Hängt sie fest, suchen Sie sie an der Kasse, bevor Sie sie erneut senden.',
  },
  TimeoutError: {
    meaning: 'Es kam nicht rechtzeitig eine Antwort. Vielleicht hat der Dienst die Bestellung.',
    remedy: 'Nichts zu tun: Die Bestellung wird mit derselben ID noch einmal gesendet.',
  },
  UnexpectedResponseError: {
    meaning: 'Die Antwort beweist nicht, dass die Bestellung angelegt wurde. Vielleicht ist sie nicht vom Dienst.',
    remedy: 'Prüfen Sie die Adresse des Dienstes und was dazwischen liegt, etwa einen Proxy oder eine Wartungsseite.',
  },
  OrderValidationError: {
    meaning: 'Die Bestellung ist nach den Regeln dieser Version ungültig und wurde nicht gesendet.',
    remedy: 'Ersetzen Sie die Bestellung durch eine berichtigte.',
  },
  OptionError: {
    meaning: 'Der Client hat eine Option abgelehnt.',
    remedy: 'Berichtigen Sie das Programm, das sendet. Danach wird die Bestellung von selbst gesendet.',
  },
  CoreInitError: {
    meaning: 'Das WebAssembly-Modul des Pakets ließ sich nicht laden.',
    remedy: 'Prüfen Sie die Installation des Pakets, und starten Sie den Prozess neu, der sendet.',
  },
  InternalError: {
    meaning: 'Das Paket selbst hat einen Fehler.',
    remedy: 'Melden Sie ihn. Die Bestellung wird noch einmal gesendet.',
  },
  Error: {
    meaning: 'Der Client hat einen Fehler geworfen, der nicht aus diesem Paket ist.',
    remedy: 'Sehen Sie in das Protokoll des Programms, das sendet. Die Bestellung wird noch einmal gesendet.',
  },
  Deadline: {
    meaning: 'Bis zum Ablauf der Frist kam keine endgültige Antwort.',
    remedy: 'Suchen Sie die Bestellung an der Kasse. Fehlt sie dort, senden Sie sie erneut.',
  },
  AcceptedByRelay: {
    meaning: 'Ein Relay hat die Bestellung angenommen und liefert sie später. Der Dienst hat sie noch nicht.',
    remedy: 'Nichts zu tun. Bleibt es dabei, sehen Sie am Relay nach.',
  },
  ResponseTooLarge: {
    meaning:
      'Die Bestellung ist angelegt, aber die Antwort des Dienstes ist größer als 1 MiB und wird darum nicht gespeichert.',
    remedy: 'Wenn der Beleg gebraucht wird, suchen Sie ihn an der Kasse.',
  },
  restored: {
    meaning:
      'Eine Sicherung der Outbox wurde zurückgespielt, in der die Bestellung wartete: seitdem wurde sie vielleicht gesendet, storniert oder korrigiert.',
    remedy:
      'Suchen Sie die Bestellung an der Kasse und im Laden. Wenn sie fehlt und noch gewünscht ist, senden Sie sie erneut.',
  },
  Unreadable: {
    meaning: 'Der Eintrag ist nicht lesbar, weil ihn etwas anderes als die Outbox geändert hat.',
    remedy:
      'Vergleichen Sie ihn mit der Bestellung im Laden. Senden Sie ihn dann erneut, oder löschen Sie seinen Inhalt.',
  },
};

/** Why deliveries are held back. A cause without a sentence does not compile. */
export const pausesInGerman: Record<Pause['cause'], Explanation> = {
  unreachable: {
    meaning: 'Der Dienst ist nicht erreichbar. Es wird nichts gesendet.',
    remedy: 'Prüfen Sie Netz, Namen und Zertifikat. Danach geht es von selbst weiter.',
  },
  token: {
    meaning: 'Der Dienst lehnt das Token ab, oder das Programm hat keines.',
    remedy: 'Erneuern Sie das Token. Danach geht es von selbst weiter.',
  },
  'retry-after': {
    meaning: 'Der Dienst hat um eine Pause gebeten.',
    remedy: 'Nichts zu tun: Danach geht es von selbst weiter.',
  },
  failures: {
    meaning: 'Mehrere Bestellungen sind nacheinander fehlgeschlagen.',
    remedy: 'Sehen Sie nach, ob der Dienst gestört ist. Sobald eine Bestellung ankommt, geht es weiter.',
  },
  suspect: {
    meaning: 'Die Antworten sind vielleicht nicht vom Dienst: eine Seite, eine Weiterleitung, 403, 404 oder 405.',
    remedy: 'Prüfen Sie die Adresse des Dienstes, die Rechte des Tokens und Proxys.',
  },
};
