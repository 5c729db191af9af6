# shellcheck shell=bash
# Sourced by run and test: the tools a build needs, and where to get the ones that are missing.

oldest_java=17

# Prints one line for each missing tool; answers 1 if there was one.
check_tools() {
  local missing=0
  check_jdk || missing=1
  if ! command -v mvn >/dev/null 2>&1; then
    say_missing "Maven (mvn) is missing" "maven" "maven"
    missing=1
  fi
  return "$missing"
}

# Prints one line for each missing tool that only some tests need. Looks where the tests do.
say_missing_test_tools() {
  PATH="$PATH:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin" command -v pgbouncer >/dev/null 2>&1 ||
    say_missing "The tests through PgBouncer are skipped, for it is missing" pgbouncer pgbouncer
  PATH="$PATH:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin" command -v faketime >/dev/null 2>&1 ||
    say_missing "The tests with shifted clocks are skipped, for faketime is missing" faketime libfaketime
  # elsewhere than on Linux the test that needs it does not run
  [ "$(uname -s)" != Linux ] || command -v script >/dev/null 2>&1 ||
    say_missing "The test of exec at a terminal is skipped, for script is missing" bsdutils util-linux
}

# Sets JAVA to the java of JAVA_HOME, or else of the PATH.
check_jdk() {
  local javac version
  if [ -n "${JAVA_HOME:-}" ]; then
    JAVA="$JAVA_HOME/bin/java"
    javac="$JAVA_HOME/bin/javac"
    if ! [ -x "$JAVA" ]; then
      echo "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it: set it to a JDK $oldest_java or later, or unset it" >&2
      return 1
    fi
  else
    JAVA=$(command -v java || true)
    javac=$(command -v javac || true)
  fi
  # macOS has a /usr/bin/java that only says where to get one
  if [ -z "$JAVA" ] || ! version=$(java_version "$JAVA"); then
    say_missing "Java is missing" "openjdk-$oldest_java-jdk-headless" "openjdk@$oldest_java, then set JAVA_HOME to what brew --prefix openjdk@$oldest_java prints"
    return 1
  fi
  if [ "$version" -lt "$oldest_java" ]; then
    say_missing "Java $oldest_java or later is missing ($JAVA is Java $version)" \
      "openjdk-$oldest_java-jdk-headless" "openjdk@$oldest_java, then set JAVA_HOME to what brew --prefix openjdk@$oldest_java prints"
    return 1
  fi
  if [ -z "$javac" ] || ! [ -x "$javac" ] || ! "$javac" -version >/dev/null 2>&1; then
    say_missing "The Java compiler is missing ($JAVA belongs to a JRE, a JDK is needed)" \
      "openjdk-$oldest_java-jdk-headless" "openjdk@$oldest_java, then set JAVA_HOME to what brew --prefix openjdk@$oldest_java prints"
    return 1
  fi
}

# The feature number of a Java: 17 for 17.0.15, 8 for 1.8.0_402.
java_version() {
  local line
  line=$("$1" -version 2>&1 | grep -m 1 'version "') || return 1
  line=${line#*version \"}
  line=${line#1.}
  line=${line%%[!0-9]*}
  [ -n "$line" ] && echo "$line"
}

say_missing() {
  echo "$1. Debian, Ubuntu: sudo apt-get install $2; macOS: brew install $3" >&2
}
