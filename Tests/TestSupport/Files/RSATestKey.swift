/// RSA keys, generated with openssl for tests only.
public enum RSATestKey {
  /// PKCS#8.
  public static let pkcs8 = """
    -----BEGIN PRIVATE KEY-----
    MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCtn1tpDaBbracE
    9Tgrydo0qGo1ZaS887G3yKZVACf/Zwz4SlJinuFYfF6LoLmgBK/sQH6Qmg7Pcje/
    aOwXvqWQ3SfxZH0p+7/wLC4RHi2Isi2mpi5xYexLildh07pb3YfIVlC+i9ybJ45a
    MVGV29g6lLlgfikaSsgOcz7usjKnoq5ewC3lXEQuDoig+pMwvnWbS5sj2FVopYi8
    1lthM9+xNpz968gwXy6HNmev+0tk/+uMQKNkOuLfqbFUNAhqjVolaJbksB7TI0l0
    nDFIHEHHq4kd9a/swheXDQc5WpacYml6sKW07+ZQuoZcPXav5y5sj5yJsD2cJCr8
    sv9pzyLbAgMBAAECggEAAeLCEvPkMjY9YHcmGUHls9qYWgC4roVEmkPWOyMd/0xX
    a0MLO8CLvesTvIfnwLbD/8GSDbV/nbjq7O5wRRGDdCuRKh29HjSjiVB0aP8RInZg
    AsJ3CRyW/OZV8d/ZEKvuSLgQFcVCCqXF1wZD1BZH5rvJKS72QHxvP0/P5QjPnPUB
    3Lp+MJd5R/KjmYUjptnHRqkkTAr0CilSMMzwP1M643Pip6FMpYvVqol/UuGnvjNe
    4FCQlwlBTuEWcQQIxPhzCCw1SmK3yxZ/Qes/WWzNmvIYrzCsiPKJdaCC2WNUcncu
    Y2P/86HrYpvsl/JJHoRXtBFNBSinkfk8+ltT+UUeeQKBgQDbMe8Me5em8JZSJBeb
    tFIBbHpQq3sSTHIELvUGuLV+UiDAgmpcfx6GoGYMRotvWobIFMrvcZR4Jd7FVOyr
    +3SloebdJYKJK7I8KrFX82fJSW5wrhZCudn1jPO4o6QGPzbGPm5U2tQfg5PGMTzW
    imubyCHhZoMZdSm94wFpvLiRiQKBgQDKxn5TyGrMypXuULc+lWS7x9at2+qi5iPB
    BD38YvCgWdKMTjxoGeS0mZVNu0Unc7a7Ww/mr4vcA80btLvasff77GKmwLUC9h7H
    RJmf4mu51GEe6H9Dh8Gc5hSeXjTXzgXgpL07twvwVGbnDkgieO0TVwZq6KDrw8WO
    AmayRLGsQwKBgQCQWX76sn25g6EK8RfXA1Yp991JONSwxUUkuiPEzGlBiiZlgL04
    ssJQmFr75I04xN4T75WBQEQtJ4tgWsANtmgoF8nogyZG3U7gTqFBsVr89O3VKOAi
    CzCdg7iRNLr1HjYdMcoI+Z9OLaFomM5e3wNksNSXEqJtZnoZweARWSYXOQKBgDDQ
    oh7HU7ajWn65nbOKQWrXS/4kwBKhNqBDxixZITZpCT/Pockp2p4DjybcW2SI/ceS
    v3w4bIH1xE3UL5kRWPKj0If2Ql1JJNWx1Q3hcy+USiEntWNrbhe4Z+RMJ4qARXf0
    EL4sbcpYd0FOdd0eoWwTei8Ie5zmT0vFljV6Rg+DAoGBALcrdX2uLxfogVjjhbui
    ot7zbyEucGStoq8JflMhyNEey+zbs/AU+ih7tRpo0W5NJJPtdU4axTdkbt7n9kWT
    qNYPWLySfpNv6fmuT+x3aRvg7yYZRGP8x83Q5Rj8ckf4rIX5t9dfuJaTpjFrHBJV
    34IQWOa7+zMfC7tfXcJBtIqf
    -----END PRIVATE KEY-----

    """
  /// The same key as PKCS#1.
  public static let pkcs1 = """
    -----BEGIN RSA PRIVATE KEY-----
    MIIEpAIBAAKCAQEArZ9baQ2gW62nBPU4K8naNKhqNWWkvPOxt8imVQAn/2cM+EpS
    Yp7hWHxei6C5oASv7EB+kJoOz3I3v2jsF76lkN0n8WR9Kfu/8CwuER4tiLItpqYu
    cWHsS4pXYdO6W92HyFZQvovcmyeOWjFRldvYOpS5YH4pGkrIDnM+7rIyp6KuXsAt
    5VxELg6IoPqTML51m0ubI9hVaKWIvNZbYTPfsTac/evIMF8uhzZnr/tLZP/rjECj
    ZDri36mxVDQIao1aJWiW5LAe0yNJdJwxSBxBx6uJHfWv7MIXlw0HOVqWnGJperCl
    tO/mULqGXD12r+cubI+cibA9nCQq/LL/ac8i2wIDAQABAoIBAAHiwhLz5DI2PWB3
    JhlB5bPamFoAuK6FRJpD1jsjHf9MV2tDCzvAi73rE7yH58C2w//Bkg21f5246uzu
    cEURg3QrkSodvR40o4lQdGj/ESJ2YALCdwkclvzmVfHf2RCr7ki4EBXFQgqlxdcG
    Q9QWR+a7ySku9kB8bz9Pz+UIz5z1Ady6fjCXeUfyo5mFI6bZx0apJEwK9AopUjDM
    8D9TOuNz4qehTKWL1aqJf1Lhp74zXuBQkJcJQU7hFnEECMT4cwgsNUpit8sWf0Hr
    P1lszZryGK8wrIjyiXWggtljVHJ3LmNj//Oh62Kb7JfySR6EV7QRTQUop5H5PPpb
    U/lFHnkCgYEA2zHvDHuXpvCWUiQXm7RSAWx6UKt7EkxyBC71Bri1flIgwIJqXH8e
    hqBmDEaLb1qGyBTK73GUeCXexVTsq/t0paHm3SWCiSuyPCqxV/NnyUlucK4WQrnZ
    9YzzuKOkBj82xj5uVNrUH4OTxjE81oprm8gh4WaDGXUpveMBaby4kYkCgYEAysZ+
    U8hqzMqV7lC3PpVku8fWrdvqouYjwQQ9/GLwoFnSjE48aBnktJmVTbtFJ3O2u1sP
    5q+L3APNG7S72rH3++xipsC1AvYex0SZn+JrudRhHuh/Q4fBnOYUnl40184F4KS9
    O7cL8FRm5w5IInjtE1cGauig68PFjgJmskSxrEMCgYEAkFl++rJ9uYOhCvEX1wNW
    KffdSTjUsMVFJLojxMxpQYomZYC9OLLCUJha++SNOMTeE++VgUBELSeLYFrADbZo
    KBfJ6IMmRt1O4E6hQbFa/PTt1SjgIgswnYO4kTS69R42HTHKCPmfTi2haJjOXt8D
    ZLDUlxKibWZ6GcHgEVkmFzkCgYAw0KIex1O2o1p+uZ2zikFq10v+JMASoTagQ8Ys
    WSE2aQk/z6HJKdqeA48m3FtkiP3Hkr98OGyB9cRN1C+ZEVjyo9CH9kJdSSTVsdUN
    4XMvlEohJ7Vja24XuGfkTCeKgEV39BC+LG3KWHdBTnXdHqFsE3ovCHuc5k9LxZY1
    ekYPgwKBgQC3K3V9ri8X6IFY44W7oqLe828hLnBkraKvCX5TIcjRHsvs27PwFPoo
    e7UaaNFuTSST7XVOGsU3ZG7e5/ZFk6jWD1i8kn6Tb+n5rk/sd2kb4O8mGURj/MfN
    0OUY/HJH+KyF+bfXX7iWk6YxaxwSVd+CEFjmu/szHwu7X13CQbSKnw==
    -----END RSA PRIVATE KEY-----

    """
  public static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArZ9baQ2gW62nBPU4K8na
    NKhqNWWkvPOxt8imVQAn/2cM+EpSYp7hWHxei6C5oASv7EB+kJoOz3I3v2jsF76l
    kN0n8WR9Kfu/8CwuER4tiLItpqYucWHsS4pXYdO6W92HyFZQvovcmyeOWjFRldvY
    OpS5YH4pGkrIDnM+7rIyp6KuXsAt5VxELg6IoPqTML51m0ubI9hVaKWIvNZbYTPf
    sTac/evIMF8uhzZnr/tLZP/rjECjZDri36mxVDQIao1aJWiW5LAe0yNJdJwxSBxB
    x6uJHfWv7MIXlw0HOVqWnGJperCltO/mULqGXD12r+cubI+cibA9nCQq/LL/ac8i
    2wIDAQAB
    -----END PUBLIC KEY-----

    """
  /// 1024 bits.
  public static let short = """
    -----BEGIN PRIVATE KEY-----
    MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBALX6Lk1IRFlMTZGn
    L8dQvXbG3PNlqGfqKiw3QjELEAHuPGGvTuQEfzIiiAWCQ3m1ubek6CF9NBr2bWBw
    TIBNuPiwFfvevsFiablMdWT2rw1yp304Tvpr/6Y8fS1qUrltmb9rRCHyeTT0HKWz
    +o3X299aDYMf2Ch6Ofe8p+rekWupAgMBAAECgYBremasaFlN8H4D352dd7dfFpba
    /piXPztHQB/M/X6n1UA+ZZ8PlwRU5QY3UrdthAI7T592YA9NOWxiQBE+2ii7YaZM
    BJbJC+VTcgu+Yom4bDgtB9os26TmwPT8WSov5Ri6BRjKGt/Ey5mycoU81g6jUY8A
    DHN7U9SazFF0m0uRvQJBANzZqJxGjlbTbClgOmg9D+HdfQ54esNYnVuOg3+Ktj6w
    1MBNqkK8y5rWK5G63CLesBavRtMaEfL23up0bLXAGFcCQQDS8K3L7NzKUdwLnZ5+
    i4bPCmyGChTfrJggrzBtadGEtonlYISxAANlC2pl7FaUieJIsKpzEOGCmY4NEZ4S
    mBv/AkAlWtdvH2wB+Z7I3NLkQLfH/1ugr/YrxnhPPSq2zvKGZgiGQlyzDxXtKZ6S
    9qU3bK0iGSGEoVs52lHYHDsq/sPfAkBdiXY32Eeru5Ls3675hFt6EbA/29aXvMwU
    qjq6OdM7m0oYma0dY9kdhGtg2OUnpuDdxOFAdvrY08imyOokaqj3AkBp+61jY5Vc
    5NXNXZ5nZ5vfzzB/q7q5HzQe+gEa1Qu/T8HX8EYyP+8G2MjAe1hZhEsNOalqPe1u
    PYb/aUHC0igX
    -----END PRIVATE KEY-----

    """
  /// Not an RSA key.
  public static let elliptic = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8zPc1zO78ByXFx5V
    EMxUZul6MyV9UCxSdjj+v2rUNP2hRANCAAT6CM9MYrjoswE5UsFGwsTm7XKVQI8u
    vTUQZ0GugDwUrqaWrQ6Uno4LKarLrxMfe4z7bc1+SX5Lr0xkpk5aEGKd
    -----END PRIVATE KEY-----

    """
  /// The output of `openssl dgst -sha256 -sign` for "head.claims", in base64.
  public static let signature =
    "pytU+jikiIYzFmIKLl0caJtcWDV9U6E+6FsyPzFeWSgKv+hErRCyn+JQzCvlvQ8a8WxeVEdTRYBUEux+"
    + "620lg+IGAq7XkrwJjP7U2AWuxURca8fSVQMCOtztMM8AOkO6Tkh0NjQTPt4+5sRm9F8H1mcHiOWGQ4Hh"
    + "irWFy88UC+uW6qKM66ZsxmrGriGqtS7zT/cWdO+/Q+24dlXoqJQ05V6SmMGFb44xYTIgAazcuELIxDz+"
    + "yIOLt6O3MKgkHT7pclYtbaj4p+Ol75QOK/MHVZSpbqmPnms2IsmwsGgE0uY1xPKANhip0fPKQ+WWJ50D"
    + "Yh1ddRdQUs6UG9iuOVNcjA=="

  /// Returns a key file in the format of Google Cloud.
  public static func json(
    _ pem: String = pkcs8, email: String = "backend@p.iam.gserviceaccount.com"
  ) -> String {
    let key = pem.split(separator: "\n").joined(separator: "\\n")
    return """
      {
        "type": "service_account", "project_id": "p", "private_key_id": "k1",
        "private_key": "\(key)\\n", "client_email": "\(email)",
        "token_uri": "https://oauth2.googleapis.com/token", "universe_domain": "googleapis.com"
      }
      """
  }
}
