import Tripwire

let logCommand = Command.local(
  name: "log", summary: "show the calls of a recording", LogOptions(), LogOptions.all,
  help: { help },
  run: { (line, options, console) throws(LocalFailure) in
    guard !line.operands.isEmpty else {
      throw .usage(
        UsageError(message: "FILE is missing", hint: "as in: tripwire log trip.binlog"))
    }
    if let error = options.contradiction { throw .usage(error) }
    if options.isFollowed, line.operands.count > 1 {
      throw .usage(
        UsageError(message: "--follow: which of them? It takes the one that is written to"))
    }
    do throws(ErrorReport) {
      let log = LogFile(
        paths: line.operands, isFollowed: options.isFollowed, console: console)
      try log.show(to: try options.view(on: console))
      return .success
    } catch {
      if error.isSilent { return error.exitCode }
      throw .report(error)
    }
  })

private let help =
  HelpText(
    usage: "tripwire log FILE... [options]",
    about:
      "Shows the calls of a recording (gRPC binary log), whoever wrote it, in the order in which"
      + " they began. Several files are read as one, those of a rotated recording by their numbers,"
      + " others in the order in which they begin. FILE may be - for stdin, and packed with gzip. A"
      + " status that no server said has (local) behind it. Times are local, as TZ has it, and a line"
      + " says which zone that is; in JSON they are in UTC.",
    sections: [
      HelpText.Section(
        title: "Examples",
        rows: [
          ("tripwire log trip.binlog", "a line for each call"),
          ("tripwire log trip.binlog*", "with trip.binlog.1 and so on, which --record-size made"),
          ("tripwire log trip.binlog --errors --since 09:30", "what failed from half past nine on"),
          ("tripwire log trip.binlog -f --errors", "what fails from now on, too, until Ctrl-C"),
          ("tripwire log trip.binlog --summary", "how many ended how, and how long they took"),
          ("tripwire log trip.binlog --call 3", "all about the third"),
          ("tripwire log trip.binlog --trip t1", "what became of a trip"),
          ("tripwire log trip.binlog --resource t1 --anonymize t1.binlog", "for a bug report"),
          ("tripwire log trip.binlog --json | jq -c 'select(.trailer.statusCode > 0)'", ""),
        ])
    ] + HelpText.sections(of: LogOptions.all) + [
      HelpText.Section(
        title: "Exit codes",
        rows: [
          ("0", "what there is is on stdout; stderr may have warnings"),
          ("1", "the recording cannot be read, a file or stdout not written, or nothing be copied"),
          ("2", "the command line is wrong"),
          ("141", "the reader of stdout has gone"),
        ])
    ]
  ).description
